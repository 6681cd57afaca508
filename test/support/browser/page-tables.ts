/** Reads the tables of a page, and writes values of the API as the pages do. */
import { dayText } from '../../../src/platform/pages/ui/day-text.js';

/** A row of a table. */
export interface Row {
  /** The heading of the row, and its link. */
  readonly name: string;
  readonly link: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** Returns the rows of each table of a page, with the text of the cells by heading. */
export function tablesOf(html: string): Row[][] {
  return [...html.matchAll(/<table.*?<\/table>/gs)].map(([table]) => {
    const [head = '', ...rows] = [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) => row);
    const headings = cellsOf(head).map(textOf);
    return rows.map((row) => {
      const [name = '', ...cells] = cellsOf(row);
      const named = cells.map((cell, at) => [headings[at + 1] ?? '', textOf(cell)] as const);
      const [, link = ''] = /href="([^"]*)"/.exec(name) ?? [];
      return { name: textOf(name), link, cells: Object.fromEntries(named) };
    });
  });
}

function cellsOf(row: string): string[] {
  return [...row.matchAll(/<t[hd].*?<\/t[hd]>/gs)].map(([cell]) => cell);
}

function textOf(html: string): string {
  return html
    .replace(/<button.*?<\/button>|<span [^>]*popover.*?<\/span>/g, '')
    .replace(/<[^>]+>|[▲▼\u2060]/g, '')
    .replace(/&amp;/g, '&')
    .trim();
}

/** Writes a date-time such as `2025-06-01 18:03:11` as the pages do. */
export function writtenTime(at: string): string {
  return `${dayText(at)}, ${at.slice('2025-06-01 '.length)}`;
}

/** Writes a value of the API as the pages do. */
export function written(
  value: string | number | undefined,
  as: 'number' | 'money' | 'rate',
): string {
  if (value === undefined) return 'not in the answer';
  if (as === 'rate') return `${(Math.round(Number(value) * 1_000) / 10).toFixed(1)}%`;
  const [whole = '', cents] = String(value).replace('-', '−').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return cents === undefined ? grouped : `${grouped}.${cents}`;
}
