import type { Type } from '@nestjs/common';
import { MIGRATIONS } from '../platform/database/migrations/index.js';
import {
  partsOf,
  type InstalledExtension,
  type InstalledFeatures,
  type LoadedExtension,
} from '../feature.js';
import { FEATURES } from '../features.js';
import type { InstalledPage } from '../platform/pages/page-router.js';

/** Loads the modules of all features, without their pages and commands. */
export async function loadFeatures(loaded: readonly LoadedExtension[]): Promise<InstalledFeatures> {
  const modules: Type[] = [];
  for (const { module } of FEATURES) if (module !== undefined) modules.push(await module());
  const extensions = await installed(loaded);
  const added = extensions.map(({ parts }) => parts);
  const parts = [...modules.map(partsOf), ...added];
  return {
    modules,
    extensions,
    schema: {
      entities: parts.flatMap(({ entities }) => entities),
      migrations: MIGRATIONS,
      extensionMigrations: added.flatMap(({ migrations }) => migrations),
    },
    checks: parts.flatMap(({ checks }) => checks),
    jobs: parts.flatMap(({ jobs }) => jobs),
    personalData: parts.flatMap(({ personalData }) => personalData),
  };
}

async function installed(loaded: readonly LoadedExtension[]): Promise<InstalledExtension[]> {
  const extensions: InstalledExtension[] = [];
  for (const extension of loaded) {
    const module = await extension.declaration.module?.();
    if (module !== undefined) extensions.push({ ...extension, module, parts: partsOf(module) });
  }
  return extensions;
}

/** Loads the account pages of all features. */
export async function loadPages(extensions: readonly LoadedExtension[]): Promise<InstalledPage[]> {
  const pages: InstalledPage[] = [];
  for (const declared of [...FEATURES, ...extensions.map(({ declaration }) => declaration)]) {
    for (const { load, ...page } of Object.values(declared.pages ?? {})) {
      pages.push({ ...page, type: await load() });
    }
  }
  return pages;
}
