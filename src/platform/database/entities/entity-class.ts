import type { Type } from '@nestjs/common';
import {
  EntitySchema,
  getMetadataArgsStorage,
  type ColumnOptions,
  type EntitySchemaColumnOptions,
  type EntitySchemaIndexOptions,
} from 'typeorm';
import { StartError } from '../../errors/domain-error.js';

/** A class with the decorators of TypeORM: `@Entity('notes')`, `@PrimaryColumn`, `@Column`. */
export type EntityClass = Type<object>;

/** Declares a table: an `EntitySchema`, as from `entityOf`, or a class with `@Entity`. */
export type EntityDeclaration = EntitySchema | EntityClass;

/** Options of a column that the service supports. Other options would differ between databases. */
const OPTIONS: readonly string[] = ['type', 'length', 'nullable', 'primary', 'generated'];
const GENERATED = 'increment';

const SCHEMAS = new WeakMap<EntityClass, EntitySchema>();

/**
 * Returns the schema of an entity. The columns of a class are converted once, so that the service
 * handles both kinds of declaration in the same way.
 * @throws StartError if a class uses a part of TypeORM that the service does not support
 */
export function schemaOf(entity: EntityDeclaration): EntitySchema {
  if (!isEntityClass(entity)) {
    if (isSchema(entity)) return entity;
    throw new StartError('An entity is neither a class nor a schema, as entityOf makes one.');
  }
  const schema = SCHEMAS.get(entity) ?? converted(entity);
  SCHEMAS.set(entity, schema);
  return schema;
}

/** A declaration in JavaScript may be anything. */
function isSchema(entity: unknown): boolean {
  return typeof entity === 'object' && entity !== null && 'options' in entity;
}

function isEntityClass(entity: EntityDeclaration): entity is EntityClass {
  return typeof entity === 'function';
}

function converted(type: EntityClass): EntitySchema {
  const storage = getMetadataArgsStorage();
  const tableName = storage.tables.find(({ target }) => target === type)?.name;
  if (tableName === undefined) throw unsupported(type, 'must name its table: @Entity("notes")');
  const classes = withParents(type);
  const others = [
    ...storage.filterRelations(classes),
    ...storage.filterEmbeddeds(classes),
    ...storage.columns.filter(({ target, mode }) => isOneOf(classes, target) && mode !== 'regular'),
  ];
  for (const { propertyName } of others) {
    throw unsupported(type, `can only have plain columns, but ${propertyName} is none`);
  }
  return new EntitySchema({
    name: type.name,
    target: type,
    tableName,
    columns: columnsOf(type, classes),
    indices: indicesOf(classes),
  });
}

function columnsOf(type: EntityClass, classes: readonly EntityClass[]) {
  const storage = getMetadataArgsStorage();
  const columns = storage.filterColumns([...classes]).map(({ propertyName, options }) => {
    const generated = storage.findGenerated([...classes], propertyName)?.strategy;
    const problem = problemOf(propertyName, options, generated);
    if (problem !== null) throw unsupported(type, problem);
    return [propertyName, columnOf(options, generated)] as const;
  });
  return Object.fromEntries<EntitySchemaColumnOptions>(columns);
}

function problemOf(property: string, options: ColumnOptions, generated?: string): string | null {
  const other = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (other !== undefined) return `cannot have the option ${other} at ${property}`;
  if (options.type === undefined) return `must declare the type of ${property}`;
  if (options.type === Date) return `must have ${property} as text, with the type "datetime"`;
  if (generated === undefined || generated === GENERATED) return null;
  return `cannot have ${property} generated as ${generated}`;
}

function columnOf(options: ColumnOptions, generated?: string): EntitySchemaColumnOptions {
  const { type = 'varchar', length, nullable = false, primary = false } = options;
  return {
    type,
    nullable,
    primary,
    ...(length === undefined ? {} : { length }),
    ...(generated === undefined ? {} : { generated: GENERATED }),
  };
}

function indicesOf(classes: readonly EntityClass[]): EntitySchemaIndexOptions[] {
  return getMetadataArgsStorage()
    .filterIndices([...classes])
    .flatMap(({ name, columns, unique = false }) =>
      Array.isArray(columns) ? [{ columns, unique, ...(name === undefined ? {} : { name }) }] : [],
    );
}

/** Returns a class and the classes that it extends. */
function withParents(type: EntityClass): EntityClass[] {
  const parent: unknown = Object.getPrototypeOf(type);
  return isParent(parent) ? [type, ...withParents(parent)] : [type];
}

function isParent(value: unknown): value is EntityClass {
  return typeof value === 'function' && value !== Function.prototype;
}

function isOneOf(classes: readonly EntityClass[], target: unknown): boolean {
  return classes.some((each) => each === target);
}

function unsupported({ name }: EntityClass, problem: string): StartError {
  return new StartError(`The entity ${name} ${problem}.`);
}
