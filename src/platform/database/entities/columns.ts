import type { EntitySchemaColumnOptions } from 'typeorm';

/** Describes a column whose values in a row have this type. */
export interface Column<Value = unknown> extends EntitySchemaColumnOptions {
  /** Exists for the compiler only, so that `RowOf` knows the type. */
  readonly rowValue?: Value;
}

/** Describes a row of a table with these columns. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

/** Maximum length of `text`, in characters; `longText` holds up to 16,000. */
export const SHORT_TEXT = 255;

/** Makes a column part of the primary key. */
export function key<Value>(column: Column<Value>): Column<Value> {
  return { ...column, primary: true };
}

/** Lets a column be null. */
export function optional<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, nullable: true };
}

/** Returns the column of a primary key that the database numbers. */
export function generatedId(): Column<number> {
  return { type: 'integer', primary: true, generated: 'increment' };
}

/** Returns a column of integers below 2^53. */
export function wholeNumber(): Column<number> {
  return { type: 'bigint' };
}

/**
 * Returns a column of money in cents, or in millionths for a shipping fee; see
 * src/platform/values/money.ts.
 */
export function money(): Column<number> {
  return { type: 'bigint' };
}

/** Returns a column of 0 or 1. */
export function flag(): Column<number> {
  return { type: 'tinyint' };
}

/** Returns a column of texts of up to `length` characters, which are compared byte for byte. */
export function text(length: number = SHORT_TEXT): Column<string> {
  return { type: 'varchar', length };
}

/** Returns a column of texts of up to 16,000 characters, which no index contains. */
export function longText(): Column<string> {
  return { type: 'text' };
}

/** Returns a column of up to 65,535 bytes. */
export function bytes(): Column<Uint8Array> {
  return { type: 'blob' };
}

/** Returns a column of a date-time in UTC, to the second; see src/platform/values/time.ts. */
export function dateTime(): Column<string> {
  return { type: 'datetime' };
}

/** Returns a column of a day, such as `2025-06-01`. */
export function day(): Column<string> {
  return { type: 'date' };
}
