import { shownValue } from '../../../platform/values/shown-text.js';
import {
  fittedTransaction,
  preKeyProblem,
  transactionWarnings,
} from '../../../ledger/records/fitted-transaction.js';
import {
  readTransaction,
  type TransactionRecord,
} from '../../../ledger/records/transaction.record.js';
import type { Versioned } from '../../../ledger/records/record-version.js';
import type { LockedLedgers } from '../../../ledger/revisions/ledger-change.model.js';
import type { TransactionWritesService } from '../../../ledger/writes/transaction-writes.service.js';
import type { PlacedRecord } from '../../../ledger/writes/transaction-writes.model.js';
import { PERSONAL_TRANSACTIONS } from '../../../ledger/records/personal-data.js';
import type { BatchRun, References } from '../batches/batch-run.js';
import { vendorIdOf, type RecordServices } from './record-services.js';
import type { Kept, RecordKind } from '../batches/typed-batch.js';
import {
  giveAffiliates,
  missingAffiliate,
  missingProduct,
  noteGivenAffiliate,
  ofOwnProduct,
} from './references.js';

/** Locates a stored transaction. */
type Place = Pick<PlacedRecord, 'place' | 'sequence' | 'reasons'>;

/** Applies `transaction` records. */
export function transactionRecords(services: RecordServices): RecordKind<TransactionRecord> {
  const { transactions, personal } = services;
  /** Places of the batch's stored transactions, by transaction id. */
  const places = new Map<string, Place>();
  let kept: Promise<Kept<TransactionRecord>> = Promise.resolve((record) => record);
  /** The ledgers of the batch as they were when they were locked, for `save`. */
  let ledgers: LockedLedgers = new Map();
  /**
   * Vendors of transactions that earlier batches of a dry run would have stored, by transaction id.
   */
  const dryRunVendors = new Map<string, number>();
  const knownVendor = (transaction_id: string): number | undefined =>
    places.get(transaction_id)?.place.vendor_id ?? dryRunVendors.get(transaction_id);

  return {
    type: 'transaction',
    read: readTransaction,
    fitted: fittedTransaction,
    warningsOf: transactionWarnings,
    identity: idOf,
    addReferences,
    stored: async (run, records) => {
      if (records.length === 0) return [];
      if (run.dryRun === null) ledgers = await lockLedgers(run, records, transactions);
      // The statements wait together for one that writes the batch before.
      kept = personal.keptOf(run, PERSONAL_TRANSACTIONS, records);
      const [stored] = await Promise.all([
        transactions.stored(run.session, records.map(idOf), run.step),
        kept,
      ]);
      places.clear();
      for (const each of stored) places.set(each.content.transaction_id, each);
      return stored.map(withoutPlace);
    },
    keptOf: () => kept,
    problem: (record, line, run, before) =>
      missingReference(record, line, run) ??
      vendorProblem(
        knownVendor(record.transaction_id) ?? (before && vendorOf(before, run)),
        vendorOf(record, run),
        run,
      ) ??
      // This check comes last, because a source must not learn what another vendor's transaction
      // names.
      preKeyProblem(record, before) ??
      missingPayment(record, line, run, before),
    forVendor: ofOwnProduct,
    vendorOf: (record, run) => knownVendor(record.transaction_id) ?? vendorOf(record, run),
    setDryRunVendor: (transaction_id, vendor_id) => {
      dryRunVendors.set(transaction_id, vendor_id);
    },
    accepted: noteGivenAffiliate,
    prepare: async (run) => {
      // Changes of affiliates raise revisions and take sequences, so the state is read again.
      if (!(await giveAffiliates(run, services))) return;
      ledgers = await transactions.lock(run.session, [...ledgers.keys()], [], run.step);
    },
    save: (run, changes) => {
      const placed = changes.map(({ before, content: after, record_version }) => {
        const stored = placeOf(places.get(after.transaction_id));
        const vendor_id = vendorOf(after, run);
        return { before, after, record_version, vendor_id, ...stored };
      });
      return transactions.save(run.session, ledgers, placed, run.step);
    },
    raiseVersions: ({ session }, records) =>
      transactions.raiseVersions(session, placedVersions(records, places)),
    conclude: (run) => raiseRevisionsThatShow(run, transactions),
  };
}

/** Returns where a transaction is stored, in the form of a change. */
function placeOf(stored: Place | undefined) {
  return {
    place: stored?.place ?? null,
    sequence_before: stored?.sequence ?? null,
    reasons_before: stored?.reasons ?? null,
  };
}

function lockLedgers(
  run: BatchRun,
  records: readonly TransactionRecord[],
  transactions: TransactionWritesService,
): Promise<LockedLedgers> {
  const vendors = records.flatMap((record) => vendorIdOf(record, run) ?? []);
  const affiliates = records.flatMap(({ affiliate_id }) => affiliate_id ?? []);
  return transactions.lock(run.session, vendors, affiliates, run.step);
}

/**
 * Raises the revisions of ledgers whose answers show a changed user: those of everyone who sees the
 * change and has sales with the user.
 */
async function raiseRevisionsThatShow(
  { session, changedUsers, onlyVendor, step }: BatchRun,
  transactions: TransactionWritesService,
): Promise<void> {
  if (changedUsers.length > 0) await step?.settle();
  await transactions.raiseRevisionsThatShow(session, changedUsers, onlyVendor);
}

function idOf({ transaction_id }: TransactionRecord): string {
  return transaction_id;
}

/** Returns the record alone, because it is compared with others. The API never changes it. */
function withoutPlace({ content, record_version }: PlacedRecord) {
  return { content, overruled: null, record_version };
}

function placedVersions(
  records: readonly Versioned<TransactionRecord>[],
  places: ReadonlyMap<string, Place>,
) {
  return records.flatMap(({ content, record_version }) => {
    const found = places.get(content.transaction_id);
    return found === undefined ? [] : [{ place: found.place, record_version }];
  });
}

function addReferences(
  { product_id, affiliate_id, pre_key }: TransactionRecord,
  references: References,
): void {
  references.products.add(product_id);
  if (affiliate_id !== null) references.users.add(affiliate_id);
  if (pre_key !== null) references.pre_keys.add(pre_key);
}

function missingReference(
  { product_id, affiliate_id }: TransactionRecord,
  line: number,
  run: BatchRun,
): string | null {
  const missing = missingProduct(product_id, line, run);
  if (missing !== null || affiliate_id === null) return missing;
  return missingAffiliate(affiliate_id, line, run);
}

/**
 * Returns the reason why a transaction cannot refer to its subscription, or null. A transaction may
 * keep the subscription that it named before.
 */
function missingPayment(
  { pre_key }: TransactionRecord,
  line: number,
  run: BatchRun,
  before: TransactionRecord | undefined,
): string | null {
  if (pre_key === null || pre_key === before?.pre_key || run.hasPreKey(pre_key, line)) return null;
  return `pre_key: there is no recurring payment ${shownValue(pre_key)}`;
}

/** @param before undefined if the transaction is new */
function vendorProblem(
  before: number | undefined,
  after: number,
  { onlyVendor }: BatchRun,
): string | null {
  if (before === undefined || before === after) return null;
  // The answer to a source of one vendor must not name the other vendor.
  return onlyVendor === null
    ? `transaction_id: is a transaction of vendor ${before} and can't move`
    : "transaction_id: is another vendor's transaction and can't move";
}

function vendorOf(record: TransactionRecord, run: BatchRun): number {
  const vendor_id = vendorIdOf(record, run);
  if (vendor_id === undefined) throw new Error('a record without a product was accepted');
  return vendor_id;
}
