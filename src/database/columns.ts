import type { EntitySchemaColumnOptions } from 'typeorm';

/** The kinds of columns there are, the same on every database. */
export type Column = EntitySchemaColumnOptions;

/** Longest short text, in characters; `longText` takes up to 16,000. */
export const SHORT_TEXT = 255;

export function key(column: Column): Column {
  return { ...column, primary: true };
}

export function optional(column: Column): Column {
  return { ...column, nullable: true };
}

/** A number that the database gives out. */
export function givenNumber(): Column {
  return { type: 'integer', primary: true, generated: 'increment' };
}

export function wholeNumber(): Column {
  return { type: 'bigint' };
}

/** Money as a whole number of cents, or of millionths for a shipping fee; see common/money.ts. */
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

/** A moment in UTC, to the second; see common/time.ts. */
export function dateTime(): Column {
  return { type: 'datetime' };
}

export function day(): Column {
  return { type: 'date' };
}
