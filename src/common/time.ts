/**
 * A moment is kept, compared and handed on as one text in UTC, to the second: `2025-06-01 18:03:11`.
 * A day is `2025-06-01`. The order of the texts is the order of time, every database keeps them as
 * they are, and no time zone of a machine, a driver or a server can move them.
 */
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const ISO_DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** What every database can hold as a date; moments outside are refused at the door. */
const FIRST_MOMENT = '1000-01-01 00:00:00';
const LAST_MOMENT = '9999-12-31 23:59:59';

/** True for a date of the calendar, written exactly year-month-day: `2025-02-30` is none. */
export function isCalendarDay(text: string): boolean {
  const match = DAY.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match;
  return Number(day) >= 1 && Number(day) <= daysOfMonth(Number(year), Number(month));
}

/**
 * Reads an ISO 8601 date-time with an offset as a moment in UTC; a fraction of a second is dropped.
 * @returns null where the text is none, or lies outside the years 1000 to 9999
 */
export function parseDateTime(text: string): string | null {
  const match = ISO_DATE_TIME.exec(text);
  if (match === null) return null;
  const [, day = '', hour, minute, second, sign, offsetHours, offsetMinutes] = match;
  if (!isCalendarDay(day)) return null;
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000;
  if (offset === 0) return inRange(`${day} ${hour}:${minute}:${second}`);
  const local = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return inRange(dateTimeOf(new Date(sign === '-' ? local + offset : local - offset)));
}

/** The moment of a Date, cut to the second. */
export function dateTimeOf(date: Date): string {
  const text = date.toISOString();
  return `${text.slice(0, -14)} ${text.slice(-13, -5)}`;
}

/** A moment as the interface writes it: `2025-06-01T18:03:11+00:00`. */
export function formatMoment(moment: string): string {
  return `${moment.slice(0, 10)}T${moment.slice(11)}+00:00`;
}

/** Whole seconds from a moment until now. */
export function secondsSince(moment: string): number {
  return Math.max(0, Math.floor((Date.now() - Date.parse(formatMoment(moment))) / 1_000));
}

export function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

/** The first day of the month that a day lies in. */
export function monthOf(day: string): string {
  return `${day.slice(0, 8)}01`;
}

/** The last day of the month that a day lies in. */
export function endOfMonth(day: string): string {
  return `${day.slice(0, 8)}${daysOfMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)))}`;
}

/** The day that lies a number of days after another, or before it where the number is negative. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export const DAY_MS = 86_400_000;

/** The units in which an operator writes a time: `90s`, `7d`. The shortest comes first. */
export const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** How many days one day lies after another. */
export function daysBetween(earlier: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(earlier)) / DAY_MS);
}

export function startOfDay(day: string): string {
  return `${day} 00:00:00`;
}

export function endOfDay(day: string): string {
  return `${day} 23:59:59`;
}

function inRange(moment: string): string | null {
  return moment.length === LAST_MOMENT.length && moment >= FIRST_MOMENT && moment <= LAST_MOMENT
    ? moment
    : null;
}

function daysOfMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
