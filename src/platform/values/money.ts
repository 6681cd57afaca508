/**
 * Money is an integer of the smallest unit: cents, or millionths for a shipping fee. Conversion
 * from and to decimal text moves the point and never uses floating-point arithmetic. 13 digits
 * before the point keep every amount below 2^53, where integers are exact.
 */
const DIGITS_BEFORE_POINT = 13;

/** Decimal places of an amount of money. */
export const CENTS = 2;
/** Decimal places of a shipping fee. */
export const MILLIONTHS = 6;

/**
 * Parses decimal text, for example `-18.8` with 2 places as -1880.
 * @returns null if the text is no decimal, has more places, or more than 13 digits before the point
 */
export function parseDecimal(text: string, places: number): number | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', digits = '', fraction = ''] = match;
  const whole = digits.replace(/^0+(?=\d)/, '');
  if (fraction.length > places || whole.length > wholeDigits(places)) return null;
  const units = Number(whole + fraction.padEnd(places, '0'));
  // The condition avoids minus zero.
  return sign === '-' && units !== 0 ? -units : units;
}

/** Formats units as decimal text: 4700 with 2 places is `47.00`. */
export function formatDecimal(units: number | bigint, places: number): string {
  const digits = String(units < 0 ? -units : units).padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return units < 0 ? `-${text}` : text;
}

/** Formats an amount of cents as decimal text: 4700 is `47.00`. */
export function formatCents(cents: number | bigint): string {
  return formatDecimal(cents, CENTS);
}

/**
 * Divides and rounds to the nearest integer, halves away from zero. Division by zero gives zero.
 */
export function quotient(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) return 0n;
  if (divisor < 0n) return quotient(-dividend, -divisor);
  return (2n * dividend + (dividend < 0n ? -divisor : divisor)) / (2n * divisor);
}

/** Decimal places of a rate. */
export const RATE_PLACES = 4;

/** Returns the ratio in units of the last of RATE_PLACES: 1 of 3 is 3333. */
export function rateOf(part: bigint, whole: bigint): bigint {
  return quotient(part * 10n ** BigInt(RATE_PLACES), whole);
}

/**
 * Returns the maximum number of digits before the point: 13 for cents, 9 for millionths, so that
 * units stay below 2^53.
 */
export function wholeDigits(places: number): number {
  return DIGITS_BEFORE_POINT + CENTS - places;
}
