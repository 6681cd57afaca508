import { shownValue } from '../../../common/shown-text.js';
import {
  readTransaction,
  type TransactionRecord,
} from '../../../ledger-format/transaction.record.js';
import type { Place } from '../../transactions/writes/transaction-writes.model.js';
import type { TransactionWritesService } from '../../transactions/writes/transaction-writes.service.js';
import type { BatchRun, References } from '../batch-run.js';
import type { Change, RecordKind } from '../record-kind.js';
import { missingProduct, missingUser } from './missing-references.js';

/** Applies `transaction` records. */
export class TransactionRecords implements RecordKind<TransactionRecord> {
  readonly type = 'transaction';
  readonly read = readTransaction;
  /** Where each stored transaction of the batch lies. */
  private places = new Map<string, Place>();
  /** The vendors of those that earlier batches of a dry run would have stored. */
  private readonly dryRunVendors = new Map<string, number>();

  constructor(private readonly transactions: TransactionWritesService) {}

  identity({ transaction_id }: TransactionRecord): string {
    return transaction_id;
  }

  noteReferences(
    { product_id, affiliate_id, pre_key }: TransactionRecord,
    references: References,
  ): void {
    references.products.add(product_id);
    if (affiliate_id !== null) references.users.add(affiliate_id);
    if (pre_key !== null) references.pre_keys.add(pre_key);
  }

  async stored(run: BatchRun, records: readonly TransactionRecord[]) {
    if (run.dryRun === null) {
      const vendors = records.flatMap(
        ({ product_id }) => run.products.get(product_id)?.vendor_id ?? [],
      );
      const affiliates = records.flatMap(({ affiliate_id }) => affiliate_id ?? []);
      await this.transactions.lock(run.session, vendors, affiliates);
    }
    const ids = records.map(({ transaction_id }) => transaction_id);
    const stored = await this.transactions.stored(run.session, ids);
    this.places = new Map(stored.map(({ record, place }) => [record.transaction_id, place]));
    return stored.map(({ record }) => ({ content: record, overruled: null }));
  }

  refusal(
    record: TransactionRecord,
    line: number,
    run: BatchRun,
    before: TransactionRecord | undefined,
  ): string | null {
    const { transaction_id, product_id, affiliate_id, pre_key } = record;
    const missing =
      missingProduct(product_id, line, run) ??
      (affiliate_id === null ? null : missingUser('affiliate_id', affiliate_id, line, run));
    if (missing !== null) return missing;
    if (pre_key !== null && !run.hasPreKey(pre_key, line)) {
      return `pre_key: there is no recurring payment ${shownValue(pre_key)}`;
    }
    const vendorBefore =
      this.knownVendor(transaction_id) ??
      (before === undefined ? undefined : vendorOfProduct(before.product_id, run));
    return vendorBefore !== undefined && vendorBefore !== vendorOfProduct(product_id, run)
      ? "transaction_id: is another vendor's transaction and can't move"
      : null;
  }

  vendorOf({ transaction_id, product_id }: TransactionRecord, run: BatchRun): number {
    return this.knownVendor(transaction_id) ?? vendorOfProduct(product_id, run);
  }

  noteVendor(transaction_id: string, vendor_id: number): void {
    this.dryRunVendors.set(transaction_id, vendor_id);
  }

  async save(run: BatchRun, changes: readonly Change<TransactionRecord>[]): Promise<void> {
    const placed = changes.map(({ before, after }) => ({
      ...{ before, after },
      vendor_id: vendorOfProduct(after.product_id, run),
      place: this.places.get(after.transaction_id) ?? null,
    }));
    await this.transactions.save(run.session, placed);
  }

  /** A changed user is in the answers of those with whom the user has sales. */
  async conclude({ session, changedUsers }: BatchRun): Promise<void> {
    await this.transactions.raiseRevisionsThatShow(session, changedUsers);
  }

  private knownVendor(transaction_id: string): number | undefined {
    return this.places.get(transaction_id)?.vendor_id ?? this.dryRunVendors.get(transaction_id);
  }
}

function vendorOfProduct(product_id: number, run: BatchRun): number {
  const product = run.products.get(product_id);
  if (product === undefined) throw new Error('a record without a product was accepted');
  return product.vendor_id;
}
