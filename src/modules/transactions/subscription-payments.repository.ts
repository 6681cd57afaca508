import { Injectable } from '@nestjs/common';
import type { Reader } from '../../platform/database/database.js';
import { keysetOf, unionOf } from '../../ledger/reads/keyset.js';
import { SEEN_AFFILIATE, SEEN_PAGE_NAME } from '../../ledger/reads/seen-user.model.js';
import { columnsOf } from '../../platform/database/named-rows.js';
import { byListOrder, isRowOf } from '../../ledger/reads/transaction-row.model.js';
import type { StoredTransaction } from '../../ledger/reads/transaction.model.js';

const PAYMENT_COLUMNS = [
  'transaction_id',
  'sale_date',
  'vendor_id',
  'arrival',
  'amount',
  'status',
  'refund_date',
  'refund_amount',
  'affiliate_id',
  'customer_first_name',
  'customer_last_name',
] as const satisfies readonly (keyof StoredTransaction)[];

/** Describes a payment of a subscription: a transaction with its `pre_key`. Money is in cents. */
export interface SubscriptionPayment extends Pick<
  StoredTransaction,
  (typeof PAYMENT_COLUMNS)[number]
> {
  /** Name of the affiliate on the account pages; null if there is none, or it is not known. */
  readonly affiliate_name: string | null;
}

/** Selects payments of a subscription: those up to and including a place, or those after it. */
export interface PaymentsRange {
  readonly vendor_id: number;
  readonly pre_key: string;
  readonly place: Pick<StoredTransaction, 'sale_date' | 'arrival'>;
  readonly side: 'until' | 'after';
}

/** The index is named, because all transactions without a subscription have the same key, null. */
const KEYS = {
  selected: 'vendor_id, arrival, sale_date',
  table: 'transactions /*! FORCE INDEX (transactions_by_agreement) */',
  where: 'vendor_id = ? AND pre_key = ?',
  order: ['sale_date', 'arrival'],
} as const;
const SIDES = {
  until: keysetOf({ ...KEYS, direction: 'DESC', isInclusive: true }),
  after: keysetOf({ ...KEYS, direction: 'ASC' }),
} as const;

/** The name of the customer in the newest payment of a subscription. */
export type SubscriptionName = Pick<
  StoredTransaction,
  'pre_key' | 'customer_first_name' | 'customer_last_name'
>;

/** Reads the payments of a subscription. The SQL is hand-written: it reads ranges of one index. */
@Injectable()
export class SubscriptionPaymentsRepository {
  /** Returns the payments nearest to the place, newest first. */
  async payments(
    reader: Reader,
    range: PaymentsRange,
    take: number,
  ): Promise<SubscriptionPayment[]> {
    const keys = SIDES[range.side];
    const rows = await reader.select<SubscriptionPayment>(
      `SELECT ${columnsOf('t', PAYMENT_COLUMNS)}, ${SEEN_PAGE_NAME} AS affiliate_name
        FROM (${keys.sql}) page JOIN transactions t ON ${isRowOf('page')} ${SEEN_AFFILIATE}`,
      keys.values({ ...valuesOf(range), take }),
    );
    return rows.sort(byListOrder);
  }

  /**
   * Counts payments.
   * @returns at most `take`, however many there are
   */
  async count(reader: Reader, range: PaymentsRange, take: number): Promise<number> {
    const keys = SIDES[range.side];
    const [row] = await reader.select<{ readonly count: number }>(
      `SELECT COUNT(*) AS count FROM (${keys.union}) page`,
      keys.valuesOfUnion({ ...valuesOf(range), take }),
    );
    return Math.min(take, row?.count ?? 0);
  }

  /** Returns the names in the newest payment of each subscription; those without one are left out. */
  newestNames(
    reader: Reader,
    vendor_id: number,
    pre_keys: readonly string[],
  ): Promise<SubscriptionName[]> {
    const newest = { condition: KEYS.where, order: 'sale_date DESC, arrival DESC' };
    const union = unionOf(
      `SELECT pre_key, customer_first_name, customer_last_name FROM ${KEYS.table}`,
      pre_keys.map(() => newest),
    );
    const values = pre_keys.flatMap((pre_key) => [vendor_id, pre_key, 1]);
    return reader.select<SubscriptionName>(union, values);
  }
}

function valuesOf({ vendor_id, pre_key, place: { sale_date, arrival } }: PaymentsRange) {
  return { where: [vendor_id, pre_key], position: [sale_date, arrival] };
}
