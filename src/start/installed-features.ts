import type { Type } from '@nestjs/common';
import { MIGRATIONS } from '../platform/database/migrations/index.js';
import type { Extension } from '../extension.js';
import { EXTENSIONS } from '../extensions.js';
import { partsOf, type InstalledFeatures } from '../feature.js';
import { FEATURES } from '../features.js';
import type { InstalledPage } from '../platform/pages/page-router.js';

/** Loads the modules of all features, without their pages and commands. */
export async function loadFeatures(
  extensions: readonly Extension[] = EXTENSIONS,
): Promise<InstalledFeatures> {
  const modules: Type[] = [];
  for (const { module } of FEATURES) if (module !== undefined) modules.push(await module());
  const added = extensions.map(({ module }) => module);
  const parts = [...modules, ...added].map(partsOf);
  const holders = [...parts, ...extensions];
  return {
    modules,
    added,
    schema: {
      entities: holders.flatMap(({ entities }) => entities),
      migrations: MIGRATIONS,
      extensionMigrations: holders.flatMap(({ migrations }) => migrations),
    },
    checks: parts.flatMap(({ checks }) => checks),
    jobs: parts.flatMap(({ jobs }) => jobs),
    personalData: parts.flatMap(({ personalData }) => personalData),
  };
}

/** Loads the account pages of all features. */
export async function loadPages(
  extensions: readonly Extension[] = EXTENSIONS,
): Promise<InstalledPage[]> {
  const pages: InstalledPage[] = [];
  for (const declared of [...FEATURES, ...extensions]) {
    for (const { load, ...page } of Object.values(declared.pages ?? {})) {
      pages.push({ ...page, type: await load() });
    }
  }
  return pages;
}
