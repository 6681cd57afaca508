import { createContext } from 'preact';

/** The setting CURRENCY; empty for none. */
export const Currency = createContext('');

const NO_BREAK_SPACE = '\u00a0';

/** `$` stands before the amount and after its sign, `EUR` after the amount. */
export function withCurrency(amount: string, label: string): string {
  if (label === '') return amount;
  if (/[\p{L}.]$/u.test(label)) return `${amount}${NO_BREAK_SPACE}${label}`;
  return amount.startsWith('-') ? `-${label}${amount.slice(1)}` : `${label}${amount}`;
}
