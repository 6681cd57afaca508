import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CENTS,
  formatCents,
  formatDecimal,
  MILLIONTHS,
  parseDecimal,
  quotient,
  rateOf,
} from '../../../src/platform/values/money.js';
import { holds } from '../../support/random/properties.js';

/** The largest amount has 13 digits before the point and 2 after it, in cents. */
const MOST_CENTS = 10n ** 15n - 1n;
const cents = fc.bigInt({ min: -MOST_CENTS, max: MOST_CENTS });
const places = fc.constantFrom(CENTS, MILLIONTHS);

/** Returns decimal text from integer arithmetic alone. */
function written(units: bigint, behind: number): string {
  const scale = 10n ** BigInt(behind);
  const size = units < 0n ? -units : units;
  const fraction = String(size % scale).padStart(behind, '0');
  return `${units < 0n ? '-' : ''}${size / scale}.${fraction}`;
}

describe('parseDecimal', () => {
  it.each([
    ['47.00', 4700],
    ['47.5', 4750],
    ['47', 4700],
    ['-18.80', -1880],
    ['0.01', 1],
    ['-0.01', -1],
    ['007.50', 750],
    ['0', 0],
    ['9999999999999.99', 999_999_999_999_999],
    ['-9999999999999.99', -999_999_999_999_999],
  ])('reads %s as cents', (text, expected) => {
    expect(parseDecimal(text, CENTS)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    '-',
    '1.',
    '.5',
    '+1',
    '1.000',
    '1,00',
    '1e2',
    '0x10',
    ' 1',
    '1 ',
    '1\n',
    '--1',
    '1.2.3',
    'NaN',
    'Infinity',
    '١.٠٠',
    '1_000',
    '10000000000000',
    '-10000000000000.00',
  ])('refuses %j', (text) => {
    expect(parseDecimal(text, CENTS)).toBeNull();
  });

  it('reads minus zero as zero', () => {
    expect(parseDecimal('-0.00', CENTS)).toBe(0);
  });

  it('reads the 6 decimal places of a shipping fee', () => {
    expect(parseDecimal('1.234567', MILLIONTHS)).toBe(1_234_567);
    expect(parseDecimal('1.2345678', MILLIONTHS)).toBeNull();
    expect(parseDecimal('999999999.999999', MILLIONTHS)).toBe(999_999_999_999_999);
    expect(parseDecimal('1000000000', MILLIONTHS)).toBeNull();
  });

  it('agrees exactly with integer arithmetic', async () => {
    await holds(
      fc.property(cents, places, (units, behind) => {
        expect(BigInt(parseDecimal(written(units, behind), behind) ?? NaN)).toBe(units);
      }),
    );
  });

  it('never returns an inexact number', async () => {
    const digits = fc.string({
      unit: fc.integer({ min: 0, max: 9 }).map(String),
      minLength: 1,
      maxLength: 20,
    });
    await holds(
      fc.property(digits, digits, fc.boolean(), places, (whole, fraction, isNegative, behind) => {
        const text = `${isNegative ? '-' : ''}${whole}.${fraction}`;
        const units = parseDecimal(text, behind);
        if (units === null) return;
        const exact = BigInt(whole + fraction.padEnd(behind, '0')) * (isNegative ? -1n : 1n);
        expect(Number.isSafeInteger(units) && BigInt(units) === exact).toBe(true);
      }),
    );
  });
});

describe('formatDecimal', () => {
  it.each([
    [0, '0.00'],
    [1, '0.01'],
    [-1, '-0.01'],
    [4700, '47.00'],
    [-1880, '-18.80'],
    [999_999_999_999_999, '9999999999999.99'],
  ])('writes %d cents as money', (units, expected) => {
    expect(formatCents(units)).toBe(expected);
  });

  it('writes a shipping fee with 6 decimal places', () => {
    expect(formatDecimal(1, MILLIONTHS)).toBe('0.000001');
  });

  it('agrees with integer arithmetic', async () => {
    await holds(
      fc.property(cents, places, (units, behind) => {
        expect(formatDecimal(Number(units), behind)).toBe(written(units, behind));
      }),
    );
  });

  it('writes text that is read as the same number', async () => {
    await holds(
      fc.property(cents, (units) => {
        expect(parseDecimal(formatCents(Number(units)), CENTS)).toBe(Number(units));
      }),
    );
  });
});

describe('quotient', () => {
  it.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [5n, -2n, -3n],
    [-5n, -2n, 3n],
    [4n, -2n, -2n],
    [0n, -2n, 0n],
    [5n, 0n, 0n],
  ])('of %s and %s is %s', (dividend, divisor, expected) => {
    expect(quotient(dividend, divisor)).toBe(expected);
  });

  it('makes a rate of a negative whole exact', () => {
    expect(rateOf(2764n, -500n)).toBe(-55_280n);
  });
});
