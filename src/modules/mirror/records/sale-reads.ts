import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import type { RecordResult } from '../../import/incoming/incoming.model.js';
import { pairKey, type ReadKey, type RunKind } from '../../upstreams/upstream.model.js';

/** Describes a listed sale after it was written. */
export interface WrittenSale {
  readonly transaction_id: string;
  /** Id of the product; null if it cannot be read. */
  readonly product_id: number | null;
  /** Id of the affiliate; null if there is none. */
  readonly affiliate_id: number | null;
  readonly sale_date: string;
  /** The stored sale before the write, if there was one. */
  readonly stored: TransactionRecord | undefined;
  readonly verdict: RecordResult['verdict'];
  /** True if the affiliate is new, or has changed. */
  readonly hasNewAffiliate: boolean;
}

/**
 * Returns the records to read one by one after a sale was listed: its details if it changed, and
 * the subscription and affiliate terms that it names. A longer run always reads the latter; a full
 * run and a notification always read the details as well.
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
