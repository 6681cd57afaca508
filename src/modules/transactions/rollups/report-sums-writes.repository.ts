import { Injectable } from '@nestjs/common';
import { dayOf, monthOf } from '../../../common/time.js';
import { recordOf } from '../../../common/record-of.js';
import { runByKeys, upsertRows } from '../../../database/bulk.js';
import type { Session, SqlRow } from '../../../database/database.js';
import { optionalNumberAt, textAt } from '../../../database/values.js';
import {
  AFFILIATE_DAY_SUMS,
  VENDOR_SUMS,
  type SumKind,
  type SumSeries,
} from './kept-sums.model.js';
import { RECORD_COLUMNS, type RecordColumn } from '../transaction.entity.js';
import type { PlacedChange, TransactionRecord } from '../records/transaction-writes.repository.js';

const VENDOR_KEY = ['vendor_id', 'series', 'kind', 'day', 'item_id'] as const;
const AFFILIATE_KEY = ['vendor_id', 'kind', 'day', 'affiliate_id', 'product_id'] as const;
const AT = recordOf(RECORD_COLUMNS, (_, index) => index);

/** The kept sums that reports are read from: all SQL that maintains them. */
@Injectable()
export class ReportSumsWritesRepository {
  /** Adds up by how much the changes of the ledger change the sums. */
  changesBy(changes: readonly PlacedChange[]): ReportSumChanges {
    const ofVendors = new SumChanges();
    const ofAffiliates = new SumChanges();
    for (const { before, after, place } of changes) {
      if (before !== undefined) add(before, place.vendor_id, -1, ofVendors, ofAffiliates);
      add(after, place.vendor_id, 1, ofVendors, ofAffiliates);
    }
    return { ofVendors, ofAffiliates };
  }

  /** Brings the sums to what the changes make of them. */
  async apply(session: Session, { ofVendors, ofAffiliates }: ReportSumChanges): Promise<void> {
    await save(session, 'vendor_sums', VENDOR_KEY, VENDOR_SUMS, ofVendors);
    await save(session, 'affiliate_day_sums', AFFILIATE_KEY, AFFILIATE_DAY_SUMS, ofAffiliates);
  }
}

export interface ReportSumChanges {
  readonly ofVendors: SumChanges;
  readonly ofAffiliates: SumChanges;
}

/** What a transaction counts as on a day; the money is as report-sums.model.ts has it, in cents. */
interface CountedAs {
  readonly kind: SumKind;
  readonly day: string;
  readonly amount: number;
  readonly earnings: number;
  readonly affiliate: number;
  readonly others: number;
  readonly fees: number;
}

function add(
  record: TransactionRecord,
  vendor_id: number,
  sign: 1 | -1,
  ofVendors: SumChanges,
  ofAffiliates: SumChanges,
): void {
  const { product_id, affiliate_id } = record;
  for (const { kind, day, amount, earnings, affiliate, others, fees } of countedAs(record)) {
    const month = monthOf(day);
    const sums = [1, amount, earnings, affiliate + others, fees];
    const ofVendor = (series: SumSeries, of: string, item_id: number, added: readonly number[]) => {
      const name = `${vendor_id}/${series}/${kind}/${of}/${item_id}`;
      ofVendors.add(name, [vendor_id, series, kind, of, item_id], added, sign);
    };
    ofVendor('total', day, 0, sums);
    ofVendor('product', day, product_id, sums);
    ofVendor('product_month', month, product_id, sums);
    if (affiliate_id === null) continue;
    const brought = [1, amount, earnings, affiliate];
    ofVendor('affiliate_month', month, affiliate_id, [...brought, 0]);
    const name = `${vendor_id}/${kind}/${day}/${affiliate_id}/${product_id}`;
    ofAffiliates.add(name, [vendor_id, kind, day, affiliate_id, product_id], brought, sign);
  }
}

function countedAs({ row, sale_date, refund_date }: TransactionRecord): CountedAs[] {
  const cents = (column: RecordColumn) => optionalNumberAt(row, AT[column]) ?? 0;
  const status = textAt(row, AT.status);
  const day = dayOf(sale_date);
  const amount = cents('amount');
  if (status === 'pending') return [{ ...NO_MONEY, kind: 'pending', day, amount }];
  const sale: CountedAs = {
    kind: 'sale',
    day,
    amount,
    earnings: cents('seller_earnings'),
    affiliate: cents('affiliate_payout'),
    others: cents('agent_payout') + cents('jv_payout'),
    fees: cents('service_fee'),
  };
  const back = status === 'charged_back' ? 'chargeback' : 'refund';
  if (refund_date === null) {
    if (status === 'completed') return [sale];
    return [sale, { ...NO_MONEY, kind: `undated_${back}`, day }];
  }
  const impacts = {
    amount: cents('refund_amount'),
    earnings: cents('seller_refund_impact'),
    affiliate: cents('affiliate_refund_impact'),
    others: cents('agent_refund_impact') + cents('jv_refund_impact'),
    fees: cents('service_fee_adjustment'),
  };
  return [
    sale,
    { ...impacts, kind: `${back}_by_sale`, day },
    { ...impacts, kind: `${back}_by_refund`, day: dayOf(refund_date) },
  ];
}

const NO_MONEY = { amount: 0, earnings: 0, affiliate: 0, others: 0, fees: 0 };

/** By how much each key's sums change. */
class SumChanges {
  private readonly open = new Map<string, number[]>();
  private readonly all: { readonly key: SqlRow; readonly sums: number[] }[] = [];

  /** The name is the key's, once more as a text. */
  add(name: string, key: SqlRow, sums: readonly number[], sign: 1 | -1): void {
    const known = this.open.get(name);
    if (known !== undefined && addedTo(known, sums, sign)) return;
    const begun = sums.map((sum) => sign * sum);
    this.open.set(name, begun);
    this.all.push({ key, sums: begun });
  }

  rows(): readonly { readonly key: SqlRow; readonly sums: readonly number[] }[] {
    return this.all.filter(({ sums }) => sums.some((sum) => sum !== 0));
  }
}

/**
 * Adds up as long as numbers hold it exactly: what comes then begins a row of its own, and the
 * database adds them.
 */
function addedTo(known: number[], sums: readonly number[], sign: 1 | -1): boolean {
  for (let at = 0; at < known.length; at += 1) {
    if (!Number.isSafeInteger((known[at] ?? 0) + sign * (sums[at] ?? 0))) return false;
  }
  for (let at = 0; at < known.length; at += 1)
    known[at] = (known[at] ?? 0) + sign * (sums[at] ?? 0);
  return true;
}

async function save(
  session: Session,
  table: string,
  key: readonly string[],
  sums: readonly string[],
  changes: SumChanges,
): Promise<void> {
  const changed = changes.rows();
  const rows = changed.map((row) => [...row.key, ...row.sums]);
  const added = sums.map((column) => ({ column, by: 'add' }) as const);
  await upsertRows(session, table, [...key, ...sums], rows, key, added);
  // Without a transaction there is nothing left to sum up.
  const lowered = changed.filter((row) => (row.sums[0] ?? 0) < 0);
  const keys = lowered.map((row) => row.key);
  await runByKeys(session, `DELETE FROM ${table}`, key, keys, 'AND transactions = 0');
}
