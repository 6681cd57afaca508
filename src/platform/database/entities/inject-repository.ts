import { Inject, type FactoryProvider } from '@nestjs/common';
import { Database } from '../database.js';
import { schemaOf, type EntityDeclaration } from './entity-class.js';

/** Injects the repository of an entity that the module provides with `repositoriesOf`. */
export function InjectRepository(entity: EntityDeclaration): ParameterDecorator {
  return Inject(tokenOf(entity));
}

/** Returns the providers of read-only repositories. To write, use the manager of a session. */
export function repositoriesOf(...entities: readonly EntityDeclaration[]): FactoryProvider[] {
  return entities.map((entity) => ({
    provide: tokenOf(entity),
    inject: [Database],
    useFactory: ({ manager }: Database) => manager.getRepository(schemaOf(entity)),
  }));
}

function tokenOf(entity: EntityDeclaration): string {
  return `${schemaOf(entity).options.name}Repository`;
}
