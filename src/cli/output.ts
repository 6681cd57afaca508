import { shownText } from '../common/shown-text.js';

/**
 * Prints a line to standard output. The line is escaped, because stored text could control the
 * terminal.
 */
export function printLine(line: string): void {
  process.stdout.write(`${shownText(line)}\n`);
}

export function printError(line: string): void {
  process.stderr.write(`${shownText(line)}\n`);
}

export function printJson(value: object): void {
  printLine(JSON.stringify(value));
}
