const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a month, such as `Oct 2025`. */
export function monthText(day: string): string {
  return `${monthName(day)} ${day.slice(0, 4)}`;
}

/** Formats a day, such as `1 Oct 2025`. */
export function dayText(day: string): string {
  return `${dayOfMonth(day)} ${monthText(day)}`;
}

/** Formats a day within a year, such as `1 Oct`. */
export function shortDayText(day: string): string {
  return `${dayOfMonth(day)} ${monthName(day)}`;
}

interface DayRange {
  readonly start_date: string;
  readonly end_date: string;
}

/** Formats a range as short as possible, such as `1–31 Oct 2025` or `29 Dec 2025 – 4 Jan 2026`. */
export function rangeText({ start_date, end_date }: DayRange): string {
  const last = dayText(end_date);
  if (start_date === end_date) return last;
  if (start_date.slice(0, 7) === end_date.slice(0, 7)) return `${dayOfMonth(start_date)}–${last}`;
  if (start_date.slice(0, 4) !== end_date.slice(0, 4)) return `${dayText(start_date)} – ${last}`;
  return `${shortDayText(start_date)} – ${last}`;
}

function monthName(day: string): string {
  return MONTHS[Number(day.slice(5, 7)) - 1] ?? '';
}

function dayOfMonth(day: string): number {
  return Number(day.slice(8, 10));
}
