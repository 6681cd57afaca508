/**
 * `value` is the service's own and is written unchanged; `text` comes from users and must not become a
 * formula in a spreadsheet.
 */
export type Cell = { readonly text: string | null } | { readonly value: string | number };

/** Marks the text as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** What spreadsheets read as a formula, including full-width characters. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Some spreadsheets split cells at semicolons or tabs. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** One record of RFC 4180, with its line end. */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map(escaped).join(',')}\r\n`;
}

function escaped(cell: Cell): string {
  if ('value' in cell) return String(cell.value);
  const text = cell.text ?? '';
  const harmless = BEGINS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
