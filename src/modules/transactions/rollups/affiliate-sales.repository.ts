import { Injectable } from '@nestjs/common';
import { recordOf } from '../../../common/record-of.js';
import { runByKeys, upsertRows } from '../../../database/bulk.js';
import { Database, type Session, type SqlRow } from '../../../database/database.js';
import { optionalNumberAt, textAt } from '../../../database/values.js';
import { AFFILIATE_SUMS, type AffiliateSales, type AffiliateSum } from './affiliate-sales.model.js';
import { RECORD_COLUMNS, type RecordColumn } from '../transaction.entity.js';
import type { PlacedChange, TransactionRecord } from '../records/transaction-writes.repository.js';

const KEY = ['affiliate_id', 'product_id'] as const;
const AT = recordOf(RECORD_COLUMNS, (_, index) => index);
const NONE = recordOf(AFFILIATE_SUMS, () => 0n);

function saleDate(order: 'ASC' | 'DESC'): string {
  return `(SELECT sale_date FROM transactions
    WHERE affiliate_id = ? AND product_id = ? AND status <> 'pending'
    ORDER BY sale_date ${order} LIMIT 1)`;
}

/** Sums are read as text: they may be more than a number holds exactly. */
const SALES = `SELECT ${AFFILIATE_SUMS.map((sum) => `CAST(${sum} AS CHAR)`).join(', ')},
    ${saleDate('ASC')}, ${saleDate('DESC')}
  FROM affiliate_sales WHERE affiliate_id = ? AND product_id = ?`;
/** Pending ones, too, which the sums leave out. */
const ANY_SALE =
  'SELECT product_id FROM transactions WHERE affiliate_id = ? AND product_id = ? LIMIT 1';
const FIRST_SALE_AT = AFFILIATE_SUMS.length;

/** The kept sums of what affiliates sold: all SQL on them. */
@Injectable()
export class AffiliateSalesRepository {
  constructor(private readonly database: Database) {}

  async salesOf(affiliate_id: number, product_id: number): Promise<AffiliateSales> {
    const key = [affiliate_id, product_id];
    const [row] = await this.database.rows<string[]>(SALES, [...key, ...key, ...key]);
    return {
      ...recordOf(AFFILIATE_SUMS, (_, index) => BigInt(row?.[index] ?? 0)),
      first_sale_date: row?.[FIRST_SALE_AT] ?? null,
      last_sale_date: row?.[FIRST_SALE_AT + 1] ?? null,
    };
  }

  async hasAnySale(affiliate_id: number, product_id: number): Promise<boolean> {
    const key = [affiliate_id, product_id];
    return (await this.database.rows<[number]>(ANY_SALE, key)).length > 0;
  }

  /** Brings the sums to what the changes make of the ledger. */
  async apply(session: Session, changes: readonly PlacedChange[]): Promise<void> {
    const tally = new Map<string, { key: SqlRow; sums: Record<AffiliateSum, bigint> }>();
    for (const { before, after } of changes) {
      for (const [record, sign] of [
        [before, -1n],
        [after, 1n],
      ] as const) {
        if (record === undefined || record.affiliate_id === null) continue;
        const key = [record.affiliate_id, record.product_id];
        const entry = tally.get(key.join('/')) ?? { key, sums: { ...NONE } };
        const part = sumsOf(record);
        for (const sum of AFFILIATE_SUMS) entry.sums[sum] += sign * part[sum];
        tally.set(key.join('/'), entry);
      }
    }
    const rows = [...tally.values()]
      .filter(({ sums }) => AFFILIATE_SUMS.some((sum) => sums[sum] !== 0n))
      .map(({ key, sums }) => [...key, ...AFFILIATE_SUMS.map((sum) => sums[sum])]);
    const added = AFFILIATE_SUMS.map((column) => ({ column, by: 'add' }) as const);
    const columns = [...KEY, ...AFFILIATE_SUMS];
    await upsertRows(session, 'affiliate_sales', columns, rows, KEY, added);
    // Without a sale there is nothing left to sum up.
    const lowered = [...tally.values()].filter(({ sums }) => sums.sales < 0n);
    const keys = lowered.map(({ key }) => key);
    await runByKeys(session, 'DELETE FROM affiliate_sales', KEY, keys, 'AND sales = 0');
  }
}

/** What one transaction adds to the sums; a pending one is no sale yet. */
function sumsOf({ row }: TransactionRecord): Record<AffiliateSum, bigint> {
  const cents = (column: RecordColumn) => BigInt(optionalNumberAt(row, AT[column]) ?? 0);
  const word = (column: RecordColumn) => textAt(row, AT[column]);
  const status = word('status');
  if (status === 'pending') return NONE;
  const commission = cents('affiliate_payout') + cents('affiliate_refund_impact');
  return {
    sales: 1n,
    refunds: status === 'refunded' ? 1n : 0n,
    chargebacks: status === 'charged_back' ? 1n : 0n,
    revenue: cents('amount'),
    refund_amount: cents('refund_amount'),
    commission_earned: commission,
    commission_paid: word('affiliate_commission_status') === 'PAID' ? commission : 0n,
  };
}
