/**
 * A cell of our own making, which is written as it is, or a text that somebody sent, which must not
 * become a formula where a spreadsheet opens it.
 */
export type Cell = { readonly text: string | null } | { readonly value: string | number };

/** Tells programs that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** What spreadsheets take for a formula, the full-width forms included. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Some spreadsheets cut rows at semicolons or tabs. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** One record of RFC 4180, its line end included. */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map(written).join(',')}\r\n`;
}

function written(cell: Cell): string {
  if ('value' in cell) return String(cell.value);
  const text = cell.text ?? '';
  const harmless = BEGINS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
