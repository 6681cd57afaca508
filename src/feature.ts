import { Module, type FactoryProvider, type ModuleMetadata, type Type } from '@nestjs/common';
import type { Command } from 'commander';
import type { EntitySchema } from 'typeorm';
import type { SettingDeclaration } from './config/declared-settings.js';
import type { Migration, Schema } from './platform/database/data-source.js';
import type { Session } from './platform/database/database.js';
import { repositoriesOf } from './platform/database/entities/inject-repository.js';
import type { ChangeSource } from './ledger/changes/change-source.model.js';
import { ChangesFeedService } from './ledger/changes/changes-feed.service.js';
import type { PageDeclaration, Pages } from './platform/pages/page-router.js';
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

export interface CommandDeclaration {
  /** Position in the list of commands of the help. */
  readonly order: number;
  readonly load: () => Promise<() => Command>;
}

export interface LoadedPage extends PageDeclaration {
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
  /** Migrations of an added module, in their order. They run after those of the service. */
  readonly migrations: readonly Migration[];
  /** Checks that run before the service starts. The module provides them. */
  readonly checks: readonly Type<StartCheck>[];
  /** Background jobs, which the service starts. The module provides them. */
  readonly jobs: readonly Type<JobLoop>[];
  /**
   * Services that hold personal data outside of the ledger. The module or its imports provide them.
   */
  readonly personalData: readonly Type<PersonalDataHolder>[];
}

interface FeatureMetadata extends ModuleMetadata, Partial<FeatureParts> {
  /**
   * Sources of the feed of changes. The module provides them, and imports the module of changes.
   */
  readonly changes?: readonly Type<ChangeSource>[];
}

const NO_PARTS: FeatureParts = {
  entities: [],
  migrations: [],
  checks: [],
  jobs: [],
  personalData: [],
};
const PARTS = new WeakMap<object, FeatureParts>();

/** Declares the module of a feature to Nest, and its other parts to the service. */
export function Feature(metadata: FeatureMetadata): ClassDecorator {
  const { changes = [], ...rest } = metadata;
  const { entities, migrations, checks, jobs, personalData, ...nest } = { ...NO_PARTS, ...rest };
  // A class may be a check and a job.
  const classes = new Set([...(nest.providers ?? []), ...checks, ...jobs, ...changes]);
  const registrations = changes.length === 0 ? [] : [registrationOf(changes)];
  const providers = [...classes, ...repositoriesOf(...entities), ...registrations];
  return (module) => {
    PARTS.set(module, { entities, migrations, checks, jobs, personalData });
    Module({ ...nest, providers })(module);
  };
}

/** Returns what `@Feature` registered with a module; nothing for a plain module of Nest. */
export function partsOf(module: Type): FeatureParts {
  return PARTS.get(module) ?? NO_PARTS;
}

/** Adds the change sources of a module to those of all modules when the service is created. */
function registrationOf(changes: readonly Type<ChangeSource>[]): FactoryProvider {
  return {
    provide: Symbol('change sources'),
    inject: [ChangesFeedService, ...changes],
    useFactory: (feed: ChangesFeedService, ...own: readonly ChangeSource[]) => {
      for (const source of own) feed.addSource(source);
      return own;
    },
  };
}

/** The loaded modules of all features, and what they register. */
export abstract class InstalledFeatures {
  abstract readonly modules: readonly Type[];
  /** Modules that your back office added. */
  abstract readonly added: readonly Type[];
  abstract readonly schema: Schema;
  abstract readonly checks: FeatureParts['checks'];
  abstract readonly jobs: FeatureParts['jobs'];
  abstract readonly personalData: FeatureParts['personalData'];
}
