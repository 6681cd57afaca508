import { shownText } from '../values/shown-text.js';

/**
 * Prints a line to standard output. The line is escaped, because stored text could control the
 * terminal.
 */
export function printLine(line: string): void {
  process.stdout.write(`${shownText(line)}\n`);
}

/** Prints a line to standard error, escaped as `printLine` does. */
export function printError(line: string): void {
  process.stderr.write(`${shownText(line)}\n`);
}

/** Prints a value as one line of JSON to standard output. */
export function printJson(value: object): void {
  printLine(JSON.stringify(value));
}

/** Prints a value as one line of JSON, or as readable lines. */
export function print<Value extends object>(
  value: Value,
  json: boolean,
  linesOf: (value: Value) => string | readonly string[],
): void {
  if (json) printJson(value);
  else for (const line of [linesOf(value)].flat()) printLine(line);
}

/** Prints a list, in text with a sentence if it is empty. */
export function printList<Value extends object>(
  values: readonly Value[],
  json: boolean,
  linesOf: (value: Value) => string | readonly string[],
  empty: string,
): void {
  for (const value of values) print(value, json, linesOf);
  if (!json && values.length === 0) printLine(empty);
}
