import { createContext } from 'preact';

/** Value of the setting CURRENCY; empty if it is not set. */
export const Currency = createContext('');

const NO_BREAK_SPACE = '\u00a0';

/**
 * Returns the texts on each side of an amount: `$` is written before it and after its sign, `EUR`
 * after it.
 */
export function currencyAround(label: string): { readonly before: string; readonly after: string } {
  if (/[\p{L}.]$/u.test(label)) return { before: '', after: `${NO_BREAK_SPACE}${label}` };
  return { before: label, after: '' };
}

export function withCurrency(amount: string, label: string): string {
  const { before, after } = currencyAround(label);
  const sign = amount.startsWith('-') ? '-' : '';
  return `${sign}${before}${amount.slice(sign.length)}${after}`;
}
