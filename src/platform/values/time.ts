/**
 * Date-times are text in UTC, to the second: `2025-06-01 18:03:11`. Dates are `2025-06-01`. They
 * sort in order of time, every database stores them unchanged, and no time zone setting can shift
 * them.
 */
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
/**
 * Matches all forms that have one meaning: the separator, the seconds and the offset can be written
 * in several ways.
 */
const ISO_DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d+)?)? ?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;
const DIGITS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;

/** The range of DATETIME that every database supports. */
const EARLIEST = '1000-01-01 00:00:00';
const LATEST = '9999-12-31 23:59:59';

/** Returns true for a valid date written as YYYY-MM-DD; `2025-02-30` is not valid. */
export function isCalendarDay(text: string): boolean {
  const match = DAY.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match;
  return Number(day) >= 1 && Number(day) <= daysOfMonth(Number(year), Number(month));
}

/**
 * Finds a day that is not in the calendar, such as 2026-11-31, in a date or a date-time of a valid
 * form.
 * @returns null if the day exists, or the form is invalid
 */
export function missingDayIn(text: string): string | null {
  const day = DAY.test(text) ? text : ISO_DATE_TIME.exec(text)?.[1];
  return day === undefined || isCalendarDay(day) ? null : day;
}

/**
 * Parses an ISO 8601 date-time with an offset: `2025-06-01T14:03:11-04:00`, `…-0400`, `…-04` or
 * `…Z`, in lower case too. `T` may be a space, the offset may follow a space, and seconds may be
 * left out. The result is in UTC; fractions of a second are dropped.
 * @returns null if the text is invalid, or outside the years 1000 to 9999
 */
export function parseDateTime(text: string): string | null {
  const match = ISO_DATE_TIME.exec(text);
  if (match === null) return null;
  const [, day = '', hour, minute, second = '00', sign, offsetHours, offsetMinutes] = match;
  if (!isCalendarDay(day)) return null;
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000;
  if (offset === 0) return inRange(`${day} ${hour}:${minute}:${second}`);
  const local = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return inRange(dateTimeOf(new Date(sign === '-' ? local + offset : local - offset)));
}

/** Returns a Date as text, truncated to the second. */
export function dateTimeOf(date: Date): string {
  const text = date.toISOString();
  return `${text.slice(0, -14)} ${text.slice(-13, -5)}`;
}

/**
 * Returns the date-time that is `seconds` after a date-time.
 * @param seconds negative for an earlier date-time
 * @returns null if a date-time is not in the calendar, or outside the years 1000 to 9999
 */
export function secondsAfter(dateTime: string, seconds: number): string | null {
  const time = Date.parse(formatDateTime(dateTime));
  return Number.isNaN(time) ? null : inRange(dateTimeOf(new Date(time + seconds * 1_000)));
}

/** Returns the date-time this many milliseconds from now. */
export function dateTimeIn(ms: number): string {
  return dateTimeOf(new Date(Date.now() + ms));
}

/** Returns a date-time as a number, such as 20250601180311. The numbers sort in order of time. */
export function numberOfDateTime(dateTime: string): number {
  return Number(dateTime.replaceAll(/\D/g, ''));
}

/** Returns the date-time of a number of `numberOfDateTime`. */
export function dateTimeOfNumber(number: number): string {
  return String(number).replace(DIGITS, '$1-$2-$3 $4:$5:$6');
}

/** Returns a date-time as the API writes it: `2025-06-01T18:03:11+00:00`. */
export function formatDateTime(dateTime: string): string {
  return `${dateTime.slice(0, 10)}T${dateTime.slice(11)}+00:00`;
}

/** Returns the whole seconds from a date-time until now, at least 0. */
export function secondsSince(dateTime: string): number {
  return Math.max(0, Math.floor((Date.now() - Date.parse(formatDateTime(dateTime))) / 1_000));
}

export function dayOf(dateTime: string): string {
  return dateTime.slice(0, 10);
}

/** Returns the current day in UTC. */
export function todayInUtc(): string {
  return dayOf(dateTimeOf(new Date()));
}

/** Returns the first day of the year. */
export function yearOf(day: string): string {
  return `${day.slice(0, 4)}-01-01`;
}

/** Returns the first day of the month. */
export function monthOf(day: string): string {
  return `${day.slice(0, 8)}01`;
}

export function endOfMonth(day: string): string {
  return `${day.slice(0, 8)}${daysOfMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)))}`;
}

/**
 * Returns the first day of the month that is `months` after the month of a day.
 * @param months negative for an earlier month
 */
export function monthsAfter(day: string, months: number): string {
  const number = monthNumber(day) + months;
  const [year, month] = [Math.floor(number / 12), 1 + (((number % 12) + 12) % 12)];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
}

/** Returns the number of calendar months from the month of a day to the month of another. */
export function monthsBetween(earlier: string, later: string): number {
  return monthNumber(later) - monthNumber(earlier);
}

/**
 * Returns the day that is `days` after a day.
 * @param days negative for an earlier day
 */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export const DAY_MS = 86_400_000;

/** Seconds per unit of a duration such as `90s` or `7d`, the shortest first. */
export const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

export function daysBetween(earlier: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(earlier)) / DAY_MS);
}

export function startOfDay(day: string): string {
  return `${day} 00:00:00`;
}

export function endOfDay(day: string): string {
  return `${day} 23:59:59`;
}

function inRange(text: string): string | null {
  return text.length === LATEST.length && text >= EARLIEST && text <= LATEST ? text : null;
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function daysOfMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
