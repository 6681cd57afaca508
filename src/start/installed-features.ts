import type { Type } from '@nestjs/common';
import { installVersion } from '../api/versions/api-versions.js';
import { isClass } from '../api/validation/request-inputs.js';
import { extensionSchema } from '../platform/database/extensions/extension-tables.js';
import { MIGRATIONS } from '../platform/database/migrations/index.js';
import {
  isFeature,
  partsOf,
  type InstalledExtension,
  type InstalledFeatures,
  type LoadedExtension,
} from '../feature.js';
import { FEATURES } from '../features.js';
import type { InstalledPage } from '../platform/pages/page-router.js';
import {
  callingExtension,
  ExtensionError,
  usingExtension,
} from '../platform/errors/extension-error.js';
import { RegisteredParts } from './extensions/registered-parts.js';

/**
 * Loads the modules of all features, without their pages and commands.
 * @throws ExtensionError if an extension takes a name or an address of the service or of another
 */
export async function loadFeatures(loaded: readonly LoadedExtension[]): Promise<InstalledFeatures> {
  const modules = await loadModules();
  const own = modules.map(partsOf);
  const extensions: InstalledExtension[] = [];
  if (loaded.length > 0) {
    const registered = await RegisteredParts.of(modules, own);
    for (const each of loaded) {
      const extension = await loadModule(each);
      await usingExtension(each.declaration.name, 'reading its parts', () =>
        registered.take(extension),
      );
      const { name, versions = [] } = extension.declaration;
      for (const version of versions) installVersion(name, version);
      extensions.push(extension);
    }
  }
  const added = extensions.map(({ parts }) => parts);
  const parts = [...own, ...added];
  return {
    modules,
    extensions,
    schema: {
      entities: parts.flatMap(({ entities }) => entities),
      migrations: MIGRATIONS,
      extensionMigrations: added.flatMap(({ migrations }) => migrations),
      extensions: extensions.map(schemaOf),
    },
    checks: parts.flatMap(({ checks }) => checks),
    jobs: parts.flatMap(({ jobs }) => jobs),
    personalData: parts.flatMap(({ personalData }) => personalData),
    onChanges: parts.flatMap(({ onChanges }) => onChanges),
  };
}

function schemaOf({ declaration: { name }, parts }: InstalledExtension) {
  return callingExtension(name, 'reading its tables', () => extensionSchema({ name, ...parts }));
}

/** Loads the modules of the features of the service. */
export async function loadModules(): Promise<Type[]> {
  const modules: Type[] = [];
  for (const { module } of FEATURES) if (module !== undefined) modules.push(await module());
  return modules;
}

/** @throws ExtensionError if the module cannot be loaded */
export async function loadModule(extension: LoadedExtension): Promise<InstalledExtension> {
  const { name, module: load } = extension.declaration;
  const module: unknown = await usingExtension(name, 'loading its module', async () => load?.());
  if (!isClass(module)) throw new ExtensionError(name, '"module" does not load a class');
  if (!isFeature(module)) {
    throw new ExtensionError(name, `the class that "module" loads has no @Feature`);
  }
  return { ...extension, module, parts: partsOf(module) };
}

/** Loads the account pages of all features. */
export async function loadPages(extensions: readonly LoadedExtension[]): Promise<InstalledPage[]> {
  const pages: InstalledPage[] = [];
  for (const declared of FEATURES) {
    for (const { load, ...page } of Object.values(declared.pages ?? {})) {
      pages.push({ ...page, type: await load(), extension: null });
    }
  }
  for (const { declaration } of extensions) {
    const { name, pages: declared = {} } = declaration;
    for (const { load, ...page } of Object.values(declared)) {
      const type: unknown = await usingExtension(name, `loading the page ${page.path}`, load);
      if (!isPages(type)) throw new ExtensionError(name, `${page.path} is not a class with addTo`);
      pages.push({ ...page, type, extension: name });
    }
  }
  return pages;
}

function isPages(type: unknown): type is InstalledPage['type'] {
  if (!isClass(type)) return false;
  const prototype: unknown = type.prototype;
  return typeof prototype === 'object' && prototype !== null && 'addTo' in prototype;
}
