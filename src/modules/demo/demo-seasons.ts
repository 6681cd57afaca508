/**
 * Sales of each month relative to the average: more before Christmas and in January, fewer in
 * summer.
 */
const SEASONS = [1.2, 0.95, 1, 0.9, 0.85, 0.75, 0.65, 0.75, 0.95, 1.05, 1.45, 1.6] as const;
const WEEKEND = 0.75;
const [SUNDAY, SATURDAY] = [0, 6];

/** Returns the sales of a day relative to the average. @param day milliseconds since 1970 */
export function seasonOf(day: number): number {
  const date = new Date(day);
  const ofMonth = SEASONS[date.getUTCMonth()] ?? 1;
  const weekday = date.getUTCDay();
  return weekday === SUNDAY || weekday === SATURDAY ? ofMonth * WEEKEND : ofMonth;
}
