import { shownText } from '../../platform/values/shown-text.js';

/**
 * Lists the record types of a ledger file in the order in which a batch is written: records come
 * after those that they refer to.
 */
export const RECORD_TYPES = [
  'user',
  'product',
  'affiliation',
  'recurring_payment',
  'transaction',
  'clicks',
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** Lists the fields that form the key of each record type (docs/ledger-file.md). */
const KEY_FIELDS: Readonly<Record<RecordType, readonly string[]>> = {
  user: ['id'],
  product: ['id'],
  affiliation: ['affiliate_id', 'product_id'],
  recurring_payment: ['pre_key'],
  transaction: ['transaction_id'],
  clicks: ['affiliate_id', 'product_id', 'date'],
};
const MAX_KEY_LENGTH = 64;

/**
 * Returns the key of a record, such as `7/10/2025-06-01` for clicks, or null if a part of it is
 * invalid.
 */
export function recordKeyOf(
  type: RecordType,
  record: Readonly<Record<string, unknown>>,
): string | null {
  const parts: string[] = [];
  for (const field of KEY_FIELDS[type]) {
    const part = record[field];
    if (typeof part === 'number') parts.push(String(part));
    else if (typeof part === 'string' && part.length <= MAX_KEY_LENGTH) parts.push(part);
    else return null;
  }
  return parts.join('/');
}

/** Appends the name of the record to a fault or a warning, such as `clicks 7/10/2025-06-01`. */
export function named(text: string, type: string, key: string | null): string {
  return key === null ? text : `${text} (${shownText(`${type} ${key}`)})`;
}
