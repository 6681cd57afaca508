import type { PeriodStep } from '../../modules/reports/report.model.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Names a period by its first day: `Oct 2025` or `2025`, or the day itself for a day or a week. */
export function periodText(start_date: string, by: PeriodStep): string {
  if (by === 'month') return monthText(start_date);
  return by === 'year' ? start_date.slice(0, 4) : start_date;
}

/** Formats a month, such as `Oct 2025`. */
export function monthText(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`;
}
