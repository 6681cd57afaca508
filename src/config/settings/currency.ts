import type { SettingSource } from '../read-value.js';

/**
 * Matches a code or a symbol that is short, on one line, and never mistaken for a part of the
 * number.
 */
const LABEL = /^[\p{L}\p{Sc}.]{1,8}$/u;

/** Reads CURRENCY, which the account pages write beside amounts; empty for none. */
export function readCurrency(source: SettingSource): string {
  const label = source.valueOf('CURRENCY') ?? '';
  if (label === '' || LABEL.test(label)) return label;
  return source.invalid('CURRENCY', 'must be a code or a symbol of 1 to 8 letters', 'EUR', '');
}
