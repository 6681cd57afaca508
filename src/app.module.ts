import { Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Settings } from './config/settings.js';
import { DatabaseModule } from './database/database.module.js';
import type { Extension } from './extension.js';
import { EXTENSIONS } from './extensions.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { AffiliatesModule } from './modules/affiliates/affiliates.module.js';
import { ChangesModule } from './modules/changes/changes.module.js';
import { DemoModule } from './modules/demo/demo.module.js';
import { ExportsModule } from './modules/exports/exports.module.js';
import { ImportModule } from './modules/import/import.module.js';
import { MirrorModule } from './modules/mirror/mirror.module.js';
import { PeopleModule } from './modules/people/people.module.js';
import { PersonalReadsModule } from './modules/personal-reads/personal-reads.module.js';
import { ProductsModule } from './modules/products/products.module.js';
import { RecurringModule } from './modules/recurring/recurring.module.js';
import { ReportsModule } from './modules/reports/reports.module.js';
import { RetentionModule } from './modules/retention/retention.module.js';
import { TransactionsModule } from './modules/transactions/transactions.module.js';
import { UpstreamsModule } from './modules/upstreams/upstreams.module.js';
import { VerificationModule } from './modules/verification/verification.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { OpenApiModule } from './openapi/api-documents.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { PagesModule } from './pages/pages.module.js';
import { SecretsModule } from './platform/secrets/secrets.module.js';
import { RoutingModule } from './routing/routing.module.js';
import { schemaOf } from './schema.js';

@Module({})
export class AppModule {
  static of(settings: Settings, extensions: readonly Extension[] = EXTENSIONS): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(settings),
        DatabaseModule.of(schemaOf(extensions)),
        ObservabilityModule,
        SecretsModule,
        AccessModule,
        AccountsModule,
        ChangesModule,
        PersonalReadsModule,
        ProductsModule,
        AffiliatesModule,
        RecurringModule,
        TransactionsModule,
        ReportsModule,
        PeopleModule,
        RetentionModule,
        VerificationModule,
        ImportModule,
        ExportsModule,
        WebhooksModule,
        UpstreamsModule,
        MirrorModule,
        DemoModule,
        RoutingModule,
        OpenApiModule,
        PagesModule,
        ...extensions.map(({ module }) => module),
      ],
    };
  }
}
