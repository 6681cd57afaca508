import { Injectable } from '@nestjs/common';
import { recordOf } from '../../../../common/record-of.js';
import { selectByKeys } from '../../../../database/bulk.js';
import { Database, type Session } from '../../../../database/database.js';
import { AFFILIATE_SUMS, type AffiliateSales, type AffiliateSum } from './affiliate-sales.model.js';
import type { TransactionRecord } from '../../../../ledger-format/transaction.record.js';
import type { LedgerChange, PlacedChange } from '../../writes/transaction-writes.model.js';
import { returnKindOf } from '../counted-as.model.js';
import { signedRecords } from '../ledger-changes.js';
import { SumChanges } from '../../../../database/sum-changes.js';

const AFFILIATE_SALES = {
  table: 'affiliate_sales',
  key: ['affiliate_id', 'product_id'],
  sums: AFFILIATE_SUMS,
} as const;

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

/**
 * Contains all SQL on the kept sums of affiliates. It is hand-written, so that statistics need not
 * add up the sales (docs/adr/0008-kept-sums-of-affiliates.md).
 */
@Injectable()
export class AffiliateSalesRepository {
  constructor(private readonly database: Database) {}

  async salesOf(affiliate_id: number, product_id: number): Promise<AffiliateSales> {
    const key = [affiliate_id, product_id];
    const [row] = await this.database.select<SalesRow>(SALES, [...key, ...key, ...key]);
    return {
      ...recordOf(AFFILIATE_SUMS, (sum) => BigInt(row?.[sum] ?? 0)),
      first_sale_date: row?.first_sale_date ?? null,
      last_sale_date: row?.last_sale_date ?? null,
    };
  }

  async hasAnySale(affiliate_id: number, product_id: number): Promise<boolean> {
    const key = [affiliate_id, product_id];
    return (await this.database.select(ANY_SALE, key)).length > 0;
  }

  /** Returns the affiliates that sell a product for the first time, according to the kept sums. */
  async withNewProduct(session: Session, changes: readonly PlacedChange[]): Promise<number[]> {
    const pairs = new Map<string, [affiliate_id: number, product_id: number]>();
    for (const { before, after } of changes) {
      const { affiliate_id, product_id } = after;
      if (affiliate_id === null || before?.affiliate_id === affiliate_id) continue;
      pairs.set(`${affiliate_id}/${product_id}`, [affiliate_id, product_id]);
    }
    const { table, key } = AFFILIATE_SALES;
    const known = await selectByKeys<Readonly<Record<(typeof key)[number], number>>>(
      session,
      `SELECT ${key.join(', ')} FROM ${table}`,
      key,
      [...pairs.values()],
    );
    for (const { affiliate_id, product_id } of known) pairs.delete(`${affiliate_id}/${product_id}`);
    return [...new Set(Array.from(pairs.values(), ([affiliate_id]) => affiliate_id))];
  }

  /** Returns those of these users who have a sale as an affiliate, including pending ones. */
  async affiliatesAmong(session: Session, user_ids: readonly number[]): Promise<number[]> {
    const rows = await selectByKeys<{ readonly affiliate_id: number }>(
      session,
      'SELECT DISTINCT affiliate_id FROM transactions',
      ['affiliate_id'],
      user_ids.map((id) => [id]),
    );
    return rows.map(({ affiliate_id }) => affiliate_id);
  }

  /**
   * Returns those of these affiliates who have a sale, including pending ones, of a vendor other
   * than this one.
   */
  async affiliatesOfOthers(
    session: Session,
    affiliate_ids: readonly number[],
    vendor_id: number,
  ): Promise<number[]> {
    const rows = await selectByKeys<{ readonly affiliate_id: number; readonly vendor_id: number }>(
      session,
      'SELECT DISTINCT affiliate_id, vendor_id FROM transactions',
      ['affiliate_id'],
      affiliate_ids.map((id) => [id]),
    );
    return rows.filter((row) => row.vendor_id !== vendor_id).map((row) => row.affiliate_id);
  }

  /** Updates the kept sums by the changes. */
  async apply(session: Session, changes: readonly LedgerChange[]): Promise<void> {
    const sales = new SumChanges(AFFILIATE_SALES);
    for (const { record, sign } of signedRecords(changes)) {
      const { affiliate_id, product_id } = record;
      if (affiliate_id === null) continue;
      for (const sums of sumsOf(record)) sales.add([affiliate_id, product_id], sums, sign);
    }
    await sales.save(session);
  }
}

/** Returns what one transaction adds to the kept sums. A pending one adds nothing. */
function sumsOf(record: TransactionRecord): Partial<Record<AffiliateSum, number>>[] {
  if (record.status === 'pending') return [];
  const back = returnKindOf(record);
  const isPaid = record.affiliate_commission_status === 'PAID';
  const commission = (cents: number) => ({
    commission_earned: cents,
    commission_paid: isPaid ? cents : 0,
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
  return [sale, commission(record.affiliate_refund_impact ?? 0)];
}
