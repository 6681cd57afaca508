import type { RecordType } from '../../../src/ledger/records/record-type.js';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  transaction,
  user,
} from './ledger-records.js';

/**
 * Ids of the vendor, affiliate and product that own the records below. They differ from the numbers
 * of those records.
 */
export const [VENDOR, AFFILIATE, PRODUCT] = [1, 2, 1];

const affiliateOf = (number: number) => 10_000 + number;

/** Returns the records that the records with these numbers refer to. */
export function partiesOf(numbers: readonly number[]): object[] {
  const affiliates = numbers.map((number) => user(affiliateOf(number)));
  return [user(VENDOR), user(AFFILIATE), product(PRODUCT, VENDOR), ...affiliates];
}

interface VersionedKind {
  readonly type: RecordType;
  readonly table: string;
  /** Builds the record with a number from 10 to 9,999 and this content. */
  readonly record: (number: number, content: string, more?: object) => object;
  /** Returns the SQL condition that finds the row of a record. */
  readonly where: (number: number) => string;
}

/**
 * Builders for each record type. Each number gives another record, and each content another version
 * of it.
 */
export const VERSIONED_KINDS: readonly VersionedKind[] = [
  {
    type: 'user',
    table: 'users',
    record: (number, name, more) => user(number, { name, ...more }),
    where: (number) => `id = ${number}`,
  },
  {
    type: 'product',
    table: 'products',
    record: (number, name, more) => product(number, VENDOR, { name, ...more }),
    where: (number) => `id = ${number}`,
  },
  {
    type: 'affiliation',
    table: 'affiliations',
    record: (number, comments, more) =>
      affiliation(affiliateOf(number), PRODUCT, { comments, ...more }),
    where: (number) => `affiliate_id = ${affiliateOf(number)}`,
  },
  {
    type: 'recurring_payment',
    table: 'recurring_payments',
    record: (number, code, more) => recurringPayment(`PRE-${number}`, PRODUCT, { code, ...more }),
    where: (number) => `pre_key = 'PRE-${number}'`,
  },
  {
    type: 'transaction',
    table: 'transactions',
    record: (number, product_name, more) =>
      transaction(`T-${number}`, PRODUCT, {
        product_name,
        affiliate_id: AFFILIATE,
        amount: `${number + 100}.${product_name.length}0`,
        payout_items: [payoutItem(VENDOR, { payee_name: product_name })],
        ...more,
      }),
    where: (number) => `transaction_id = 'T-${number}'`,
  },
  {
    type: 'clicks',
    table: 'daily_clicks',
    record: (number, content, more) =>
      clicks(AFFILIATE, PRODUCT, {
        date: `${number + 1000}-06-01`,
        clicks: content.length,
        ...more,
      }),
    where: (number) => `date = '${number + 1000}-06-01'`,
  },
];
