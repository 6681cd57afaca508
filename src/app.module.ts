import { Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from './api/access/access.module.js';
import { FeatureSettings } from './config/declared-settings.js';
import { Settings } from './config/settings.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { InstalledFeatures, type InstalledExtension } from './feature.js';
import { OpenApiModule } from './platform/openapi/api-documents.js';
import { ObservabilityModule } from './platform/observability/observability.module.js';
import type { InstalledPage } from './platform/pages/page-router.js';
import { PagesModule } from './platform/pages/pages.module.js';
import { SecretsModule } from './platform/secrets/secrets.module.js';
import { ExtensionServicesModule } from './kit/extension-services.module.js';
import { extensionPath } from './api/versions/api-versions.js';
import { RoutingModule } from './api/versions/routing.module.js';

/** Provides the settings and the list of installed features to all modules. */
@Module({})
class GlobalsModule {
  static of(settings: Settings, features: InstalledFeatures): DynamicModule {
    return {
      module: GlobalsModule,
      global: true,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: FeatureSettings, useValue: settings },
        { provide: InstalledFeatures, useValue: features },
      ],
      exports: [Settings, FeatureSettings, InstalledFeatures],
    };
  }
}

/** Returns the paths of the versions that an extension declares. */
function versionPathsOf({ declaration: { name, versions = [] } }: InstalledExtension): string[] {
  return versions.map((number) => extensionPath(name, number));
}

@Module({})
export class AppModule {
  /** @param pages account pages; none for a process that serves no requests */
  static of(
    settings: Settings,
    features: InstalledFeatures,
    pages: readonly InstalledPage[] = [],
  ): DynamicModule {
    const { modules } = features;
    const added = features.extensions.map(({ module }) => module);
    const versions = features.extensions.flatMap(versionPathsOf);
    return {
      module: AppModule,
      imports: [
        GlobalsModule.of(settings, features),
        DatabaseModule.of(features.schema),
        ObservabilityModule,
        SecretsModule,
        AccessModule,
        ...modules,
        RoutingModule.of(versions),
        OpenApiModule,
        PagesModule.of(pages, [...modules, ...added]),
        ...(added.length === 0 ? [] : [ExtensionServicesModule]),
        ...added,
      ],
    };
  }
}
