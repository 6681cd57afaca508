import { Module, type FactoryProvider, type ModuleMetadata, type Type } from '@nestjs/common';
import type { Command } from 'commander';
import type { EntitySchema } from 'typeorm';
import type { SettingDeclaration } from './config/declared-settings.js';
import type { Migration, Schema } from './platform/database/data-source.js';
import type { Session } from './platform/database/database.js';
import type { PersonalTable } from './platform/database/personal-tables.js';
import { schemaOf, type EntityDeclaration } from './platform/database/entities/entity-class.js';
import { repositoriesOf } from './platform/database/entities/inject-repository.js';
import type { ChangeListener } from './ledger/changes/change-listener.model.js';
import type { ChangeSource } from './ledger/changes/change-source.model.js';
import { ChangeSources } from './ledger/changes/change-sources.js';
import type { PageDeclaration, Pages } from './platform/pages/page-router.js';
import { StartError } from './platform/errors/domain-error.js';
import type { JobLoop } from './platform/jobs/job-loop.js';

/**
 * Declares a feature as plain data in its `*.feature.ts`. The file imports only types, and loads
 * the code of the feature when it is needed.
 */
export interface FeatureDeclaration {
  readonly name: string;
  /** Settings of this feature alone. Services read them with `valueOf`. */
  readonly settings?: Readonly<Record<string, SettingDeclaration>>;
  /** Commands by name. */
  readonly commands?: Readonly<Record<string, CommandDeclaration>>;
  /** Account pages by a name for the feature's own links. */
  readonly pages?: Readonly<Record<string, LoadedPage>>;
  /** A feature of commands alone has no module. */
  readonly module?: () => Promise<Type>;
}

/** Declares a feature that an npm package or a folder adds. See docs/extensions.md. */
export interface ExtensionDeclaration extends FeatureDeclaration {
  /** Versions of the service with which the extension works, as a range of npm, such as `^0.9`. */
  readonly compatibility: string;
  /** Numbers of the versions of its API: version 1 is at `/extensions/NAME/v1`. */
  readonly versions?: readonly number[];
}

/** Declares a command before its code is loaded. */
export interface CommandDeclaration {
  /** Position in the list of commands of the help. */
  readonly order: number;
  /** Loads the function that builds the command. */
  readonly load: () => Promise<() => Command>;
}

/** Declares account pages, whose code a start loads. */
export interface LoadedPage extends PageDeclaration {
  /** Loads the class of the pages, which may inject exported services of the module. */
  readonly load: () => Promise<Type<Pages>>;
}

/** Checks something outside of the database, such as a file, when the service starts. */
export interface StartCheck {
  /** @throws StartError or DomainError, whose message is for the operator */
  check(): Promise<unknown>;
}

/** Has texts that may quote a customer, such as answers of other services. */
export interface PersonalDataHolder {
  /** Removes these texts of a vendor, in the transaction that erases data of customers. */
  forgetPersonalData(session: Session, vendor_id: number): Promise<void>;
}

/** Parts of a feature that its module registers, in addition to those of a module of Nest. */
export interface FeatureParts {
  /** Tables. The module provides a repository for each of them. */
  readonly entities: readonly EntitySchema[];
  /** Migrations of an extension, in their order. They run after those of the service. */
  readonly migrations: readonly Migration[];
  /** Checks that run before the service starts. The module provides them. */
  readonly checks: readonly Type<StartCheck>[];
  /** Background jobs, which the service starts. The module provides them. */
  readonly jobs: readonly Type<JobLoop>[];
  /**
   * Services that hold personal data outside of the ledger. The module or its imports provide them.
   */
  readonly personalData: readonly Type<PersonalDataHolder>[];
  /**
   * Columns of own tables with personal data of customers. The service finds, exports, erases,
   * masks and retains them.
   */
  readonly personalTables: readonly PersonalTable[];
  /** Classes that receive the changes of all ledgers. The module provides them. */
  readonly onChanges: readonly Type<ChangeListener>[];
}

/** Declares a personal table, whose entity may be a class. */
interface DeclaredPersonalTable extends Omit<PersonalTable, 'entity'> {
  readonly entity: EntityDeclaration;
}

/** Tables as a module declares them. */
interface DeclaredTables {
  readonly entities?: readonly EntityDeclaration[];
  readonly personalTables?: readonly DeclaredPersonalTable[];
}

/** Describes the module of a feature: the keys of a module of Nest, and the parts of a feature. */
export interface FeatureMetadata
  extends ModuleMetadata, Partial<Omit<FeatureParts, keyof DeclaredTables>>, DeclaredTables {
  /** Sources of the feed of changes. The module provides them. */
  readonly changes?: readonly Type<ChangeSource>[];
}

const NO_PARTS: FeatureParts = {
  entities: [],
  migrations: [],
  checks: [],
  jobs: [],
  personalData: [],
  personalTables: [],
  onChanges: [],
};
const PARTS = new WeakMap<object, FeatureParts>();

/** Lists of `@Feature` whose items are classes. */
const CLASSES = ['migrations', 'checks', 'jobs', 'personalData', 'onChanges', 'changes'] as const;
/** Lists of `@Feature` whose items are classes or objects. */
const OBJECTS = ['entities', 'personalTables', 'providers', 'controllers', 'imports'] as const;

/** @throws StartError that names a list with something else than classes or objects */
function checkMetadata(metadata: FeatureMetadata): void {
  for (const list of [...CLASSES, ...OBJECTS]) {
    const items: unknown = metadata[list];
    if (items === undefined) continue;
    if (!Array.isArray(items)) throw new StartError(`"${list}" of @Feature is not a list.`);
    const isObjects = OBJECTS.some((each) => each === list);
    const at = items.findIndex((item: unknown) => {
      const isObject = isObjects && typeof item === 'object' && item !== null;
      return typeof item !== 'function' && !isObject;
    });
    if (at === -1) continue;
    const wanted = isObjects ? 'neither a class nor an object' : 'no class';
    throw new StartError(`"${list}" of @Feature has ${wanted} at ${at}.`);
  }
}

/** Declares the module of a feature to Nest, and its other parts to the service. */
export function Feature(metadata: FeatureMetadata): ClassDecorator {
  checkMetadata(metadata);
  const { changes = [], ...rest } = metadata;
  const { migrations, checks, jobs, personalData, onChanges, ...declared } = {
    ...NO_PARTS,
    ...rest,
  };
  const { entities: tables, personalTables: personal, ...nest } = declared;
  const entities = tables.map(schemaOf);
  const personalTables = personal.map((table) => ({ ...table, entity: schemaOf(table.entity) }));
  // A class may be a check and a job.
  const classes = new Set([
    ...(nest.providers ?? []),
    ...checks,
    ...jobs,
    ...changes,
    ...onChanges,
  ]);
  const given = [...classes, ...repositoriesOf(...entities)];
  const parts = { entities, migrations, checks, jobs, personalData, personalTables, onChanges };
  return (module) => {
    PARTS.set(module, parts);
    const providers = changes.length === 0 ? given : [...given, registrationOf(module, changes)];
    Module({ ...nest, providers })(module);
  };
}

/** Returns true for a class with `@Feature`. */
export function isFeature(module: Type): boolean {
  return PARTS.has(module);
}

/** Returns what `@Feature` registered with a module; nothing for a plain module of Nest. */
export function partsOf(module: Type): FeatureParts {
  return PARTS.get(module) ?? NO_PARTS;
}

/** Adds the change sources of a module to those of all modules when the service is created. */
function registrationOf(module: object, changes: readonly Type<ChangeSource>[]): FactoryProvider {
  return {
    provide: Symbol('change sources'),
    inject: [InstalledFeatures, ChangeSources, ...changes],
    useFactory: (
      features: InstalledFeatures,
      all: ChangeSources,
      ...own: readonly ChangeSource[]
    ) => {
      all.add(own, ownerOf(features, module));
      return own;
    },
  };
}

/**
 * Returns the extension with this module, or null for a module of the service.
 * @throws StartError for another module, such as one that the module of an extension imports
 */
function ownerOf({ modules, extensions }: InstalledFeatures, module: object) {
  if (modules.some((own) => own === module)) return null;
  const place = extensions.findIndex((extension) => extension.module === module);
  const name = extensions[place]?.declaration.name;
  if (name !== undefined) return { name, place };
  throw new StartError('Only the module that an extension declares may have changes.');
}

/** An extension whose declaration is loaded. */
export interface LoadedExtension {
  readonly declaration: ExtensionDeclaration;
  /** Version in the package.json of the extension. */
  readonly version: string;
  /** Folder of the extension, with its package.json. */
  readonly folder: string;
}

/** An extension whose code is loaded. */
export interface InstalledExtension extends LoadedExtension {
  readonly module: Type;
  readonly parts: FeatureParts;
}

/** The loaded modules of all features, and what they register. */
export abstract class InstalledFeatures {
  abstract readonly modules: readonly Type[];
  /** Extensions of the operator, in the order of EXTENSIONS. */
  abstract readonly extensions: readonly InstalledExtension[];
  abstract readonly schema: Schema;
  abstract readonly checks: FeatureParts['checks'];
  abstract readonly jobs: FeatureParts['jobs'];
  abstract readonly personalData: FeatureParts['personalData'];
  abstract readonly onChanges: FeatureParts['onChanges'];
}
