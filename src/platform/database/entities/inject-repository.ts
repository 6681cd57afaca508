import { Inject, type FactoryProvider } from '@nestjs/common';
import type { EntitySchema } from 'typeorm';
import { Database } from '../database.js';

/** Injects the repository of an entity that the module provides with `repositoriesOf`. */
export function InjectRepository(entity: EntitySchema): ParameterDecorator {
  return Inject(tokenOf(entity));
}

/** Returns the providers of read-only repositories. To write, use the manager of a session. */
export function repositoriesOf(...entities: readonly EntitySchema[]): FactoryProvider[] {
  return entities.map((entity) => ({
    provide: tokenOf(entity),
    inject: [Database],
    useFactory: ({ manager }: Database) => manager.getRepository(entity),
  }));
}

function tokenOf({ options }: EntitySchema): string {
  return `${options.name}Repository`;
}
