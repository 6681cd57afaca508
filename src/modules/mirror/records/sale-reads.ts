import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import type { RecordResult } from '../../import/incoming/incoming.model.js';
import { pairKey, type ReadKey, type RunKind } from '../../upstreams/upstream.model.js';

/** A sale of the list after it was written. */
export interface WrittenSale {
  readonly transaction_id: string;
  /** Null if it cannot be read. */
  readonly product_id: number | null;
  /** Null without an affiliate. */
  readonly affiliate_id: number | null;
  readonly sale_date: string;
  /** As it was before, if it was there. */
  readonly stored: TransactionRecord | undefined;
  readonly verdict: RecordResult['verdict'];
  /** True if its affiliate was new, or changed. */
  readonly hasNewAffiliate: boolean;
}

/**
 * What is to be read by itself after a sale was listed: its details if it changed, and what it names. A
 * longer run reads what it names anyway, a full one and a notification the details as well.
 */
export function readsAfter(sale: WrittenSale, kind: RunKind | 'notified'): ReadKey[] {
  const { transaction_id, sale_date, verdict, stored, hasNewAffiliate } = sale;
  if (verdict === 'rejected') return [];
  const isChanged = verdict === 'inserted' || verdict === 'updated';
  const reads: ReadKey[] = [];
  if (isChanged || hasNewAffiliate || kind === 'full' || kind === 'notified') {
    reads.push({ kind: 'detail', record_key: transaction_id, sale_date });
  }
  if (!isChanged && kind === 'recent') return reads;
  const pre_key = stored?.pre_key ?? null;
  if (pre_key !== null) reads.push({ kind: 'payment', record_key: pre_key, sale_date });
  const { affiliate_id, product_id } = sale;
  if (affiliate_id !== null && product_id !== null) {
    const record_key = pairKey(affiliate_id, product_id);
    reads.push({ kind: 'relationship', record_key, sale_date });
  }
  return reads;
}
