import type { EntitySchemaColumnOptions } from 'typeorm';

export type Column = EntitySchemaColumnOptions;

/** Maximum length of `text`, in characters; `longText` holds up to 16,000. */
export const SHORT_TEXT = 255;

export function key(column: Column): Column {
  return { ...column, primary: true };
}

export function optional(column: Column): Column {
  return { ...column, nullable: true };
}

export function generatedId(): Column {
  return { type: 'integer', primary: true, generated: 'increment' };
}

export function wholeNumber(): Column {
  return { type: 'bigint' };
}

/** Returns a column of money in cents, or in millionths for a shipping fee; see common/money.ts. */
export function money(): Column {
  return { type: 'bigint' };
}

export function flag(): Column {
  return { type: 'tinyint' };
}

export function text(length: number = SHORT_TEXT): Column {
  return { type: 'varchar', length };
}

export function longText(): Column {
  return { type: 'text' };
}

/** Returns a column of up to 65,535 bytes. */
export function bytes(): Column {
  return { type: 'blob' };
}

/** Returns a column of a date-time in UTC, to the second; see common/time.ts. */
export function dateTime(): Column {
  return { type: 'datetime' };
}

export function day(): Column {
  return { type: 'date' };
}
