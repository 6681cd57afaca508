import { shownText } from '../common/shown-text.js';

/** The record types of a ledger file, in the order of a batch: referenced records first. */
export const RECORD_TYPES = [
  'user',
  'product',
  'affiliation',
  'recurring_payment',
  'transaction',
  'clicks',
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** The key of each record type (ledger format). */
const KEY_FIELDS: Readonly<Record<RecordType, readonly string[]>> = {
  user: ['id'],
  product: ['id'],
  affiliation: ['affiliate_id', 'product_id'],
  recurring_payment: ['pre_key'],
  transaction: ['transaction_id'],
  clicks: ['affiliate_id', 'product_id', 'date'],
};
const MAX_KEY_LENGTH = 64;

/** The key of a record, such as `7/10/2025-06-01` of clicks; null if a part of it is invalid. */
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

/** A fault or a warning, with the name of its record, such as `clicks 7/10/2025-06-01`. */
export function named(text: string, type: string, key: string | null): string {
  return key === null ? text : `${text} (${shownText(`${type} ${key}`)})`;
}
