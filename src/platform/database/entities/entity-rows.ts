import type { EntitySchema } from 'typeorm';
import { insertRows, replaceRows } from '../bulk.js';
import type { Column } from './columns.js';
import type { Session, SqlRow, SqlValue } from '../database.js';

type EntityRow<Row> = Row & Readonly<Record<string, SqlValue>>;

/** Returns the columns of an entity, in its order. */
export function columnsOfEntity({ options }: EntitySchema): string[] {
  return Object.keys(options.columns);
}

/** Inserts rows of an entity in bulk. A key that exists is an error. */
export async function insertEntities<Row extends object>(
  session: Session,
  entity: EntitySchema<Row>,
  rows: readonly EntityRow<Row>[],
): Promise<void> {
  const { tableName = '' } = entity.options;
  await insertRows(session, tableName, columnsOfEntity(entity), valuesOf(entity, rows));
}

/** Inserts rows of an entity in bulk, or replaces those whose primary key exists. */
export async function replaceEntities<Row extends object>(
  session: Session,
  entity: EntitySchema<Row>,
  rows: readonly EntityRow<Row>[],
): Promise<void> {
  const { tableName = '', columns } = entity.options;
  const described = Object.entries<Column | undefined>(columns);
  const key = described.filter(([, column]) => column?.primary).map(([name]) => name);
  await replaceRows(session, tableName, columnsOfEntity(entity), valuesOf(entity, rows), key);
}

function valuesOf<Row extends object>(
  entity: EntitySchema<Row>,
  rows: readonly EntityRow<Row>[],
): SqlRow[] {
  const names = columnsOfEntity(entity);
  return rows.map((row) => names.map((name) => row[name] ?? null));
}
