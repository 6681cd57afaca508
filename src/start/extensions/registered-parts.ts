import { RequestMethod, type Type } from '@nestjs/common';
import {
  METHOD_METADATA,
  MODULE_METADATA,
  PATH_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, MetadataScanner } from '@nestjs/core';
import { isClass, isFunction, metadataOf } from '../../api/validation/request-inputs.js';
import { extensionPath } from '../../api/versions/api-versions.js';
import { toOpenApiPath, type Operation } from '../../api/versions/operations.js';
import type { FeatureParts, InstalledExtension } from '../../feature.js';
import { FORMER_NAMES } from '../../platform/database/migrations/migration-records.js';
import { MIGRATIONS } from '../../platform/database/migrations/index.js';
import { isRecord } from '../../platform/values/is-record.js';
import { problemOfParts } from './declared/checked-parts.js';
import { isNamedAfter, prefixesOf } from './declared/declared-names.js';
import { ExtensionError } from '../../platform/errors/extension-error.js';

/** Tokens of Nest that would change the requests of all operations. */
const GLOBAL_TOKENS: readonly unknown[] = [APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE];
/** Migrations are recorded with the time at the end of their names, in milliseconds since 1970. */
const MIGRATION_TIME = /\d{13}$/;

/** Keeps extensions from replacing parts of the service, and of each other. */
export class RegisteredParts {
  /** Owners by table, entity and migration. */
  private readonly owners = new Map<string, string>();
  private readonly ofService = new Set<Type>();

  private constructor(parts: readonly FeatureParts[]) {
    const own = {
      table: parts.flatMap(tablesOf),
      entity: parts.flatMap(entitiesOf),
      migration: [...MIGRATIONS.map(({ name }) => name), ...FORMER_NAMES],
    };
    for (const [kind, names] of Object.entries(own)) {
      for (const name of names) this.owners.set(`${kind} ${name}`, 'the service');
    }
  }

  /**
   * @param modules modules of the features of the service
   * @param parts what these features register
   */
  static async of(modules: readonly Type[], parts: readonly FeatureParts[]) {
    const registered = new RegisteredParts(parts);
    for (const { module } of await modulesIn(modules, new Set())) registered.ofService.add(module);
    return registered;
  }

  /**
   * Checks what an extension registers, and reserves its tables.
   * @throws ExtensionError that names the first wrong part
   */
  async take(extension: InstalledExtension): Promise<void> {
    const { declaration, parts } = extension;
    const { name } = declaration;
    const { table, migration } = prefixesOf(name);
    const problem = problemOfParts(parts);
    check(problem === null, name, problem ?? '');
    for (const own of tablesOf(parts)) {
      const isOwn = isNamedAfter(own, table, '_');
      check(isOwn, name, `the table ${own} is not ${table}, and does not begin with ${table}_`);
      this.reserve(name, own, 'table');
    }
    for (const { change } of parts.personalTables) {
      const isOwn = change === undefined || isNamedAfter(change.kind, table, '_');
      const kind = change?.kind ?? '';
      check(isOwn, name, `the kind ${kind} is not ${table}, and does not begin with ${table}_`);
    }
    // TypeORM finds an entity by its name.
    for (const own of entitiesOf(parts)) this.reserve(name, own, 'entity');
    for (const { name: own } of parts.migrations) {
      const isOwn = own.startsWith(migration) && MIGRATION_TIME.test(own);
      const wanted = `${migration}…, with 13 digits of its time at the end`;
      check(isOwn, name, `the migration ${own} is not called ${wanted}`);
      this.reserve(name, own, 'migration');
    }
    for (const found of await modulesIn([extension.module], this.ofService)) {
      checkModule(name, found);
    }
    const allowed = (declaration.versions ?? []).map((version) => extensionPath(name, version));
    for (const { path, method } of await operationsOf(extension, this.ofService)) {
      const isOwn = allowed.some((version) => path.startsWith(`${version}/`));
      const place =
        allowed.length === 0
          ? 'of no version, because "versions" is empty'
          : `not below ${allowed.join(' or ')}`;
      check(isOwn, name, `the operation ${method} ${path} is ${place}`);
    }
  }

  /** Returns the operations of an extension. */
  operations(extension: InstalledExtension): Promise<Operation[]> {
    return operationsOf(extension, this.ofService);
  }

  private reserve(extension: string, what: string, kind: 'table' | 'entity' | 'migration'): void {
    const owner = this.owners.get(`${kind} ${what}`);
    check(owner === undefined, extension, `the ${kind} ${what} is taken by ${owner ?? ''}`);
    this.owners.set(`${kind} ${what}`, `the extension ${extension}`);
  }
}

function entitiesOf({ entities }: FeatureParts): string[] {
  return entities.map(({ options }) => options.name);
}

/** Returns the names of the tables that a feature registers. */
export function tablesOf({ entities }: FeatureParts): string[] {
  return entities.map(({ options }) => options.tableName ?? options.name);
}

interface FoundModule {
  readonly module: Type;
  readonly controllers: readonly Type[];
  readonly providers: readonly unknown[];
}

/** Returns modules with all that they import, except for the modules in `without`. */
export async function modulesIn(
  roots: readonly unknown[],
  without: ReadonlySet<unknown>,
): Promise<FoundModule[]> {
  const found = new Map<unknown, FoundModule>();
  const waiting = [...roots];
  while (waiting.length > 0) {
    const given = await waiting.pop();
    // A forward reference has a function that returns the module; a dynamic module has its class.
    const awaited: unknown =
      isRecord(given) && isFunction(given.forwardRef) ? given.forwardRef() : given;
    const dynamic = isRecord(awaited) ? awaited : { module: awaited };
    const { module } = dynamic;
    if (!isClass(module) || found.has(module) || without.has(module)) continue;
    const partsOfModule = (key: string) => [
      ...listOf(metadataOf(key, module)),
      ...listOf(dynamic[key]),
    ];
    const { CONTROLLERS, IMPORTS, PROVIDERS } = MODULE_METADATA;
    const controllers = partsOfModule(CONTROLLERS).filter(isClass);
    found.set(module, { module, controllers, providers: partsOfModule(PROVIDERS) });
    waiting.push(...partsOfModule(IMPORTS));
  }
  return [...found.values()];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function checkModule(extension: string, { module, providers }: FoundModule): void {
  const prototype: unknown = module.prototype;
  const isConfiguring =
    typeof prototype === 'object' && prototype !== null && 'configure' in prototype;
  check(!isConfiguring, extension, `the module ${module.name} adds middleware`);
  const tokens = providers.map((each) => (isRecord(each) ? each.provide : each));
  const isGlobal = tokens.some((token) => GLOBAL_TOKENS.includes(token));
  const problem = `the module ${module.name} adds a guard, an interceptor, a pipe or a filter of all operations`;
  check(!isGlobal, extension, problem);
}

async function operationsOf(
  { module }: InstalledExtension,
  ofService: ReadonlySet<Type>,
): Promise<Operation[]> {
  const modules = await modulesIn([module], ofService);
  return modules.flatMap(({ controllers }) => controllers).flatMap(operationsIn);
}

function operationsIn(controller: Type): Operation[] {
  const prototype: unknown = controller.prototype;
  if (typeof prototype !== 'object' || prototype === null) return [];
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((handlerName) => {
    const handler: unknown = Reflect.get(prototype, handlerName);
    const method = metadataOf(METHOD_METADATA, handler);
    if (typeof method !== 'number') return [];
    const version = versionOf(handler) ?? versionOf(controller);
    const prefix = version === null ? '' : `/v${version}`;
    return pathsOf(controller).flatMap((base) =>
      pathsOf(handler).map((rest) => {
        const path = `${prefix}/${base}/${rest}`.replace(/\/{2,}/g, '/').replace(/\/$/, '');
        const word = RequestMethod[method] ?? '';
        return { method: word, path: toOpenApiPath(path) };
      }),
    );
  });
}

/** Returns the version that Nest puts before the path, or null if there is none. */
function versionOf(target: unknown): string | null {
  const versions = [metadataOf(VERSION_METADATA, target)].flat();
  return versions.find((version) => typeof version === 'string') ?? null;
}

function pathsOf(target: unknown): string[] {
  const path = metadataOf(PATH_METADATA, target);
  const paths: unknown[] = Array.isArray(path) ? path : [path];
  return paths.map((each) => (typeof each === 'string' ? each : ''));
}

function check(isValid: boolean, extension: string, problem: string): void {
  if (!isValid) throw new ExtensionError(extension, problem);
}
