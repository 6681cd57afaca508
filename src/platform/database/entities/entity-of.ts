import { EntitySchema, type EntitySchemaIndexOptions } from 'typeorm';
import type { Column, RowOf } from './columns.js';

interface Table<Columns> {
  readonly name: string;
  readonly tableName: string;
  readonly columns: Columns;
  readonly indices?: EntitySchemaIndexOptions[];
}

/** Declares a table to TypeORM. Its columns define the type of its rows. */
export function entityOf<Columns extends Readonly<Record<string, Column>>>(
  table: Table<Columns>,
): EntitySchema<RowOf<Columns>> {
  return new EntitySchema<RowOf<Columns>>(table);
}

/** Describes a row of an entity. */
export type EntityRow<Entity> = Entity extends EntitySchema<infer Row> ? Row : never;
