import type { SqlRow } from './database.js';

/** Reads of a row by position, for rows too wide to be named column by column; each checks the type. */
export function textAt(row: SqlRow, index: number): string {
  const value = row[index];
  if (typeof value !== 'string') throw unexpected(index);
  return value;
}

export function optionalNumberAt(row: SqlRow, index: number): number | null {
  const value = row[index];
  if (value !== null && typeof value !== 'number') throw unexpected(index);
  return value;
}

function unexpected(index: number): Error {
  return new Error(`column ${index} of a row has an unexpected type`);
}
