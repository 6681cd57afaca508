import type { SqlRow } from './database.js';

/** Reads of a row by position, for rows too wide to be named column by column; each checks the type. */
export function textAt(row: SqlRow, index: number): string {
  const value = row[index];
  if (typeof value !== 'string') throw unexpected(index);
  return value;
}

export function optionalTextAt(row: SqlRow, index: number): string | null {
  return row[index] === null ? null : textAt(row, index);
}

export function numberAt(row: SqlRow, index: number): number {
  const value = row[index];
  if (typeof value !== 'number') throw unexpected(index);
  return value;
}

export function optionalNumberAt(row: SqlRow, index: number): number | null {
  return row[index] === null ? null : numberAt(row, index);
}

/** The columns `from` (included) to `to` (excluded). */
export function optionalTextsAt(row: SqlRow, from: number, to: number): (string | null)[] {
  const texts: (string | null)[] = [];
  for (let index = from; index < to; index += 1) texts.push(optionalTextAt(row, index));
  return texts;
}

/** The columns `from` (included) to `to` (excluded). */
export function numbersAt(row: SqlRow, from: number, to: number): number[] {
  const numbers: number[] = [];
  for (let index = from; index < to; index += 1) numbers.push(numberAt(row, index));
  return numbers;
}

function unexpected(index: number): Error {
  return new Error(`column ${index} of a row has an unexpected type`);
}
