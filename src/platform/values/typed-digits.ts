/** Matches spaces, dashes, and the marks that set the direction of text. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}\u2212]/gu;
const DIGIT = /\p{Nd}/u;
const DIGITS = /\p{Nd}/gu;
const RADIX = 10;

/** Returns a typed code without separators, and with the digits of any script as `0` to `9`. */
export function plainCode(typed: string): string {
  return typed.normalize('NFKC').replace(SEPARATORS, '').replace(DIGITS, plainDigit);
}

/**
 * Returns a digit of any script as `0` to `9`. Each script has its digits from zero to nine in a
 * row.
 */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % RADIX);
}
