import { Injectable } from '@nestjs/common';
import { recordOf } from '../../platform/values/record-of.js';
import { selectByKeys } from '../../platform/database/bulk.js';
import { wholeNumber } from '../../platform/database/entities/columns.js';
import { Database, type Session } from '../../platform/database/database.js';
import { KeptSum } from './kept-sum.js';
import type { TransactionRecord } from '../records/transaction.record.js';
import type { LedgerChange, SignedRecord } from '../revisions/ledger-change.model.js';
import { IS_REFUND, returnKindOf } from './kept-sums.model.js';

/** Lists the sums, which docs/api.md#versions-21-and-20 defines. */
const AFFILIATE_SUMS = [
  'sales',
  'refunds',
  'chargebacks',
  'revenue',
  'refund_amount',
  'commission_earned',
  'commission_paid',
  'commission_unpaid',
] as const;
type AffiliateSum = (typeof AFFILIATE_SUMS)[number];

const NO_SALES: Readonly<Record<AffiliateSum, number>> = recordOf(AFFILIATE_SUMS, () => 0);

const COMMISSION = 'affiliate_payout + COALESCE(affiliate_refund_impact, 0)';

/** Returns an aggregate of the commissions with one status. */
function commissionWith(status: 'PAID' | 'UNPAID'): string {
  return `SUM(CASE WHEN affiliate_commission_status = '${status}' THEN ${COMMISSION} ELSE 0 END)`;
}

/** Computes each sum as an aggregate of the ledger. */
const SUM_OF_LEDGER: Readonly<Record<AffiliateSum, string>> = {
  sales: 'COUNT(*)',
  refunds: `SUM(CASE WHEN ${IS_REFUND} THEN 1 ELSE 0 END)`,
  chargebacks: "SUM(CASE WHEN status = 'charged_back' THEN 1 ELSE 0 END)",
  revenue: 'SUM(amount)',
  refund_amount: 'SUM(COALESCE(refund_amount, 0))',
  commission_earned: `SUM(${COMMISSION})`,
  commission_paid: commissionWith('PAID'),
  commission_unpaid: commissionWith('UNPAID'),
};

/**
 * Stores the sums of an affiliate's sales of a product, so that statistics need not add up the
 * sales (docs/adr/0008-kept-sums-of-affiliates.md).
 */
export const AFFILIATE_SALES = new KeptSum({
  table: 'affiliate_sales',
  key: { affiliate_id: wholeNumber(), product_id: wholeNumber() },
  sums: AFFILIATE_SUMS,
  contribute({ record, sign }: SignedRecord, sales) {
    const { affiliate_id, product_id } = record;
    if (affiliate_id === null) return;
    for (const sums of sumsOf(record)) sales.add([affiliate_id, product_id], sums, sign);
  },
  recounts: () => [
    {
      of: 'affiliate, product',
      actual: `SELECT affiliate_id, product_id,
          ${AFFILIATE_SUMS.map((sum) => SUM_OF_LEDGER[sum]).join(', ')}
        FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
        GROUP BY affiliate_id, product_id`,
    },
  ],
});

/** Returns what one transaction adds to the kept sums. A pending one adds nothing. */
function sumsOf(record: TransactionRecord): Record<AffiliateSum, number>[] {
  if (record.status === 'pending') return [];
  const back = returnKindOf(record);
  const status = record.affiliate_commission_status;
  const commission = (cents: number) => ({
    commission_earned: cents,
    commission_paid: status === 'PAID' ? cents : 0,
    commission_unpaid: status === 'UNPAID' ? cents : 0,
  });
  const sale = {
    sales: 1,
    refunds: back === 'refund' ? 1 : 0,
    chargebacks: back === 'chargeback' ? 1 : 0,
    revenue: record.amount,
    refund_amount: record.refund_amount ?? 0,
    ...commission(record.affiliate_payout),
  };
  // The amounts are added in two steps, because their total may exceed the integers that a number
  // represents exactly.
  return [sale, { ...NO_SALES, ...commission(record.affiliate_refund_impact ?? 0) }];
}

/**
 * Contains the kept sums of an affiliate's sales of a product. Sales are completed, refunded or
 * charged-back transactions. Money is in cents. The sums are bigints, because they may exceed the
 * integers that a number represents exactly.
 */
export interface AffiliateSales extends Readonly<Record<AffiliateSum, bigint>> {
  /** Date-times are in UTC and null without sales. */
  readonly first_sale_date: string | null;
  readonly last_sale_date: string | null;
}

function saleDate(order: 'ASC' | 'DESC'): string {
  return `(SELECT sale_date FROM transactions
    WHERE affiliate_id = ? AND product_id = ? AND status <> 'pending'
    ORDER BY sale_date ${order} LIMIT 1)`;
}

/**
 * Selects the sums as text, because they may exceed the integers that a number represents exactly.
 */
const SALES = `SELECT ${AFFILIATE_SUMS.map((sum) => `CAST(${sum} AS CHAR) AS ${sum}`).join(', ')},
    ${saleDate('ASC')} AS first_sale_date, ${saleDate('DESC')} AS last_sale_date
  FROM affiliate_sales WHERE affiliate_id = ? AND product_id = ?`;
type SalesRow = Readonly<Record<AffiliateSum, string>> &
  Pick<AffiliateSales, 'first_sale_date' | 'last_sale_date'>;

/** Includes pending transactions, which the kept sums leave out. */
const ANY_SALE =
  'SELECT product_id FROM transactions WHERE affiliate_id = ? AND product_id = ? LIMIT 1';

/** Reads an affiliate's sales of a product. */
@Injectable()
export class AffiliateSalesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the kept sums. They are all zero if the affiliate has not sold the product. */
  async salesOf(affiliate_id: number, product_id: number): Promise<AffiliateSales> {
    const key = [affiliate_id, product_id];
    const [row] = await this.database.select<SalesRow>(SALES, [...key, ...key, ...key]);
    return {
      ...recordOf(AFFILIATE_SUMS, (sum) => BigInt(row?.[sum] ?? 0)),
      first_sale_date: row?.first_sale_date ?? null,
      last_sale_date: row?.last_sale_date ?? null,
    };
  }

  /** Returns true if the affiliate has any transaction of the product, including pending ones. */
  async hasAnySale(affiliate_id: number, product_id: number): Promise<boolean> {
    return (await this.database.select(ANY_SALE, [affiliate_id, product_id])).length > 0;
  }
}

/** Remembers the affiliates and products, as `affiliate/product`, that were looked up before. */
interface KnownSellers {
  has(kind: 'seller', vendor_id: number, pair: string): boolean;
  add(kind: 'seller', vendor_id: number, pair: string): void;
}

/**
 * Returns the affiliates that sell a product for the first time, according to the kept sums.
 * @param known pairs that need no look-up; those of the changes are added
 */
export async function withNewProduct(
  session: Session,
  changes: readonly LedgerChange[],
  known?: KnownSellers,
): Promise<number[]> {
  const pairs = new Map<string, [affiliate_id: number, product_id: number]>();
  for (const { before, after, vendor_id } of changes) {
    if (typeof after?.affiliate_id !== 'number') continue;
    const { affiliate_id, product_id } = after;
    if (before?.affiliate_id === affiliate_id) continue;
    const pair = `${affiliate_id}/${product_id}`;
    if (known?.has('seller', vendor_id, pair) === true) continue;
    pairs.set(pair, [affiliate_id, product_id]);
    known?.add('seller', vendor_id, pair);
  }
  const { table, key } = AFFILIATE_SALES;
  const stored = await selectByKeys<Readonly<Record<'affiliate_id' | 'product_id', number>>>(
    session,
    `SELECT ${key.join(', ')} FROM ${table}`,
    key,
    [...pairs.values()],
  );
  for (const { affiliate_id, product_id } of stored) pairs.delete(`${affiliate_id}/${product_id}`);
  return [...new Set(Array.from(pairs.values(), ([affiliate_id]) => affiliate_id))];
}
