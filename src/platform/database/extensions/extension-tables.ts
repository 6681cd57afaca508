import type { EntitySchema, EntitySchemaColumnOptions } from 'typeorm';
import { ExtensionError } from '../../errors/extension-error.js';
import { isRecord, recordIn } from '../../values/is-record.js';
import type { PersonalTable, RowChange } from '../personal-tables.js';

/** Names of columns and tables that are written into SQL. */
const IDENTIFIER = /^[a-z][a-z0-9_]{0,63}$/;
const KINDS = ['transaction', 'subscription', 'email'] as const satisfies PersonalTable['by'][];
const TEXTS: readonly unknown[] = ['varchar', 'text', 'char', 'mediumtext', 'longtext', String];

/** Declaration of personal data as it is stored with its table. Columns have their SQL names. */
export interface PersonalColumns {
  readonly by: PersonalTable['by'];
  readonly key: string;
  /** Column with the date-time of a row of a table by e-mail; otherwise null. */
  readonly date: string | null;
  readonly primaryKey: readonly string[];
  readonly change: RowChange | null;
  readonly columns: Readonly<Record<string, '' | null>>;
}

/** Table of an extension. `personal` is null if it has no personal data. */
export interface ExtensionTable {
  readonly table_name: string;
  readonly extension: string;
  readonly personal: PersonalColumns | null;
}

/** Tables of an installed extension. */
export interface ExtensionSchema {
  readonly name: string;
  readonly tables: readonly ExtensionTable[];
}

/** Registered parts of an extension that concern its tables. */
export interface DeclaredTables {
  readonly name: string;
  readonly entities: readonly EntitySchema[];
  readonly personalTables: readonly PersonalTable[];
}

/** The service cannot start with a table of an extension. */
export class ExtensionTableError extends ExtensionError {
  constructor(extension: string, table: string, problem: string) {
    super(extension, `table ${table}: ${problem.replace(/\.$/, '')}`);
  }
}

/**
 * Returns the tables of an installed extension.
 * @throws ExtensionTableError if its personal data is not declared correctly
 */
export function extensionSchema(declared: DeclaredTables): ExtensionSchema {
  const { name, entities } = declared;
  checkPersonalTables(declared);
  const tables = entities.map((entity) => {
    const table_name = tableOf(entity);
    return { table_name, extension: name, personal: personalOf(declared, entity, table_name) };
  });
  return { name, tables };
}

function tableOf({ options: { name, tableName } }: EntitySchema): string {
  return tableName ?? name;
}

function checkPersonalTables({ name, entities, personalTables }: DeclaredTables): void {
  for (const [at, { entity }] of personalTables.entries()) {
    const table = tableOf(entity);
    const fail = (problem: string) => {
      throw new ExtensionTableError(name, table, problem);
    };
    if (!isName(table)) fail('its name has other characters than a-z, 0-9 and _.');
    if (!entities.includes(entity)) fail('personalTables has it, and entities does not.');
    if (personalTables.findIndex((other) => other.entity === entity) < at) {
      fail('personalTables has it twice.');
    }
  }
}

type Columns = Readonly<Record<string, EntitySchemaColumnOptions | undefined>>;

/** Returns the declaration of the personal data in a table, or null if it has none. */
function personalOf(
  { name, personalTables }: DeclaredTables,
  entity: EntitySchema,
  table: string,
): PersonalColumns | null {
  const declared = personalTables.find((each) => each.entity === entity);
  if (declared === undefined) return null;
  const columns: Columns = entity.options.columns;
  const sqlName = (property: string) => {
    const column = columns[property];
    const found = column === undefined ? '' : (column.name ?? property);
    if (IDENTIFIER.test(found)) return found;
    throw new ExtensionTableError(
      name,
      table,
      `personalTables names ${property}, which is no column of small letters, digits and underscores.`,
    );
  };
  sqlName('vendor_id');
  const primary = Object.keys(columns).filter((property) => columns[property]?.primary === true);
  const personal = {
    by: declared.by,
    key: sqlName(declared.key),
    date: declared.date === undefined ? null : sqlName(declared.date),
    primaryKey: primary.map(sqlName),
    change:
      declared.change === undefined
        ? null
        : { kind: declared.change.kind, key: sqlName(declared.change.key) },
    columns: Object.fromEntries(
      Object.entries(declared.columns).map(([property, value]) => [sqlName(property), value]),
    ),
  };
  const problem = problemOf(declared, columns);
  if (problem !== null) throw new ExtensionTableError(name, table, problem);
  return personal;
}

function problemOf({ by, key, date, change, columns }: PersonalTable, all: Columns): string | null {
  if (!Object.values(all).some((column) => column?.primary)) return 'it needs a primary key.';
  if (Object.keys(columns).length === 0) return 'personalTables declares none of its columns.';
  if (by === 'email' && (date === undefined || columns[key] === undefined)) {
    return 'a table by e-mail needs a date, and its key among the declared columns.';
  }
  if (change !== undefined && all[change.key]?.primary !== true) {
    return `${change.key} is the key of its changes, and not a column of its primary key.`;
  }
  if (by !== 'email' && date !== undefined) return 'only a table by e-mail has a date.';
  if (by !== 'email' && columns[key] !== undefined) return `${key} is its key, and stays.`;
  const unusable = Object.entries(columns).find(([name, value]) => !fits(all[name], value));
  return unusable === undefined
    ? null
    : `${unusable[0]} cannot be replaced by ${unusable[1] === null ? 'null' : 'an empty text'}.`;
}

function fits(column: EntitySchemaColumnOptions | undefined, value: '' | null): boolean {
  if (column === undefined || column.primary === true || column.unique === true) return false;
  return value === null ? column.nullable === true : TEXTS.includes(column.type);
}

/** Returns a declaration as the text that is stored. */
export function textOfPersonal(personal: PersonalColumns | null): string | null {
  return personal === null ? null : JSON.stringify(personal);
}

/**
 * Reads the stored text of a declaration. Its names are written into SQL, so they are checked.
 * @returns null if it is not such a text
 */
export function personalIn(text: string): PersonalColumns | null {
  const { by, key, date, primaryKey, change = null, columns } = recordIn(text) ?? {};
  const kind = KINDS.find((each) => each === by);
  if (kind === undefined || !isName(key) || !(date === null || isName(date))) return null;
  if (!Array.isArray(primaryKey) || primaryKey.length === 0 || !isRecord(columns)) return null;
  const names = primaryKey.filter(isName);
  const replaced = Object.entries(columns).flatMap(([name, value]): [string, '' | null][] =>
    isName(name) && (value === '' || value === null) ? [[name, value]] : [],
  );
  if ((kind === 'email') !== (date !== null)) return null;
  if (names.length < primaryKey.length || replaced.length < Object.keys(columns).length)
    return null;
  const changed = changeIn(change, names);
  if (changed === undefined) return null;
  const stored = { by: kind, key, date, primaryKey: names, change: changed };
  return { ...stored, columns: Object.fromEntries(replaced) };
}

/** @returns undefined if the value is no kind of changes with a column of the primary key */
function changeIn(value: unknown, primaryKey: readonly string[]): RowChange | null | undefined {
  if (value === null) return null;
  if (!isRecord(value) || !isName(value.kind) || !isName(value.key)) return undefined;
  return primaryKey.includes(value.key) ? { kind: value.kind, key: value.key } : undefined;
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && IDENTIFIER.test(value);
}

/** Returns the column with the date of a table by e-mail. @throws Error for another table */
export function dateColumnOf({ date }: PersonalColumns): string {
  if (date === null) throw new Error('only a table by e-mail has a date');
  return date;
}

/** Returns an SQL name that may be a reserved word, in a form that every database reads. */
export function quoted(name: string): string {
  return `\`${name}\``;
}

/** Returns the names of declared columns: those of their properties, and those in SQL. */
export function personalNamesOf({ entity, columns }: PersonalTable): string[] {
  const all: Columns = entity.options.columns;
  return Object.keys(columns).flatMap((property) => [property, all[property]?.name ?? property]);
}
