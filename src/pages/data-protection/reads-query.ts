import { isCalendarDay } from '../../common/time.js';
import type { ReadPosition } from '../../modules/personal-reads/personal-read.model.js';
import type { SignedInVisit } from '../session/visit.js';
import { FormProblem } from '../ui/form.view.js';

export const DATA_PROTECTION_PATH = '/account/data-protection';
const CURSOR = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) ([0-9a-f]{16}) (\d{1,15})$/;

/** Criteria of the form; an empty one matches everything. */
export interface ReadsQuery {
  readonly transaction: string;
  readonly from: string;
  readonly to: string;
}

export function readsQueryOf(visit: SignedInVisit): ReadsQuery {
  return {
    transaction: visit.query('transaction').trim(),
    from: visit.query('from'),
    to: visit.query('to'),
  };
}

export function problemsOf({ from, to }: ReadsQuery): FormProblem[] {
  const isWrong = (day: string) => day !== '' && !isCalendarDay(day);
  const message = 'This must be a date such as 2030-12-31.';
  return [
    ...(isWrong(from) ? [new FormProblem('from', message)] : []),
    ...(isWrong(to) ? [new FormProblem('to', message)] : []),
  ];
}

/** Returns the path of the page with the reads of a record. */
export function readsPath(query: Partial<ReadsQuery>, before: ReadPosition | null = null): string {
  const named = Object.entries(query).filter(([, value]) => value !== '');
  const cursor = before === null ? {} : { before: cursorOf(before) };
  const search = new URLSearchParams({ ...Object.fromEntries(named), ...cursor }).toString();
  return search === '' ? DATA_PROTECTION_PATH : `${DATA_PROTECTION_PATH}?${search}`;
}

function cursorOf({ read_at, writer, number }: ReadPosition): string {
  return `${read_at} ${writer} ${number}`;
}

/** @returns null if the text is not a cursor, which means the first page */
export function positionIn(cursor: string): ReadPosition | null {
  const [, read_at, writer, number] = CURSOR.exec(cursor) ?? [];
  if (read_at === undefined || writer === undefined) return null;
  return { read_at, writer, number: Number(number) };
}
