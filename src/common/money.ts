/**
 * Money is a whole number of the smallest unit: cents, or millionths for a shipping fee. Decimal
 * text becomes such a number and turns back into text by moving the point, never by arithmetic on
 * fractions. 13 digits before the point keep every amount below 2^53, where whole numbers are exact.
 */
const DIGITS_BEFORE_POINT = 13;

export const CENTS = 2;
/** The places of a shipping fee (interface 2.6). */
export const MILLIONTHS = 6;

/**
 * Reads decimal text, for example `-18.8` with 2 places as -1880.
 * @returns null where the text is no decimal, has more places, or more than 13 digits before the point
 */
export function parseDecimal(text: string, places: number): number | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', digits = '', fraction = ''] = match;
  const whole = digits.replace(/^0+(?=\d)/, '');
  if (fraction.length > places || whole.length > wholeDigits(places)) return null;
  const units = Number(whole + fraction.padEnd(places, '0'));
  // No minus zero: it is the same amount and must read the same.
  return sign === '-' && units !== 0 ? -units : units;
}

/** Writes a whole number of units as decimal text: 4700 with 2 places is `47.00`. */
export function formatDecimal(units: number | bigint, places: number): string {
  const digits = String(units < 0 ? -units : units).padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return units < 0 ? `-${text}` : text;
}

/** Cents as the interface writes money: `47.00`. */
export function formatCents(cents: number | bigint): string {
  return formatDecimal(cents, CENTS);
}

/** Rounded to the nearest whole, a half away from zero; a division by nothing is zero. */
export function quotient(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) return 0n;
  return (2n * dividend + (dividend < 0n ? -divisor : divisor)) / (2n * divisor);
}

/** The places of a rate (decisions: Affiliate statistics). */
export const RATE_PLACES = 4;

/** How many parts of a whole, in units of the last of RATE_PLACES: 1 of 3 is 3333. */
export function rateOf(part: bigint, whole: bigint): bigint {
  return quotient(part * 10n ** BigInt(RATE_PLACES), whole);
}

/** 13 with cents; with millionths 9, since the sum of both must stay below 2^53. */
export function wholeDigits(places: number): number {
  return DIGITS_BEFORE_POINT + CENTS - places;
}
