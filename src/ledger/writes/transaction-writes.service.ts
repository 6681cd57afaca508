import { Injectable } from '@nestjs/common';
import { endOfDay, startOfDay } from '../../platform/values/time.js';
import type { Session } from '../../platform/database/database.js';
import { isSame } from '../records/same-content.js';
import type { TransactionRecord } from '../records/transaction.record.js';
import type { VendorAffiliate } from '../reads/seen-user.model.js';
import { ChangesService } from '../changes/changes.service.js';
import type { ChangedRecord, RemovedRecord } from '../changes/change.model.js';
import { storedReasons } from '../changes/reasons/transaction-reasons.js';
import {
  countChanges,
  foundLedger,
  type LedgerChange,
  type LockedLedgers,
} from '../revisions/ledger-change.model.js';
import { LedgerLocksRepository } from '../revisions/ledger-locks.repository.js';
import { withNewProduct } from '../sums/affiliate-sales.js';
import { KeptSumChanges, KeptSumsRepository } from '../sums/kept-sums.repository.js';
import { salesOfItems } from '../sums/report-sums.js';
import { type ImportedLedgers, LedgerStep } from './ledger-step.js';
import type {
  PlacedChange,
  PlacedRecord,
  PlacedVersion,
  ProductKey,
  RemovedSales,
  TransactionChange,
} from './transaction-writes.model.js';
import { TransactionWritesRepository } from './transaction-writes.repository.js';

/** Maximum number of transactions that a batch removes. */
const REMOVED_AT_ONCE = 1_000;

/** Writes and removes transactions, with everything that is derived from them. */
@Injectable()
export class TransactionWritesService {
  constructor(
    private readonly writes: TransactionWritesRepository,
    private readonly ledgers: LedgerLocksRepository,
    private readonly sums: KeptSumsRepository,
    private readonly changes: ChangesService,
  ) {}

  /**
   * Locks these vendors' ledgers and all these users until the session ends.
   * @returns the ledgers as they were found, for `save`
   */
  async lock(
    session: Session,
    vendor_ids: readonly number[],
    affiliate_ids: readonly number[],
    step: LedgerStep | null = null,
  ): Promise<LockedLedgers> {
    const users = [...vendor_ids, ...affiliate_ids];
    const others = users.filter((id) => step?.lockedUsers.has(id) !== true);
    await this.ledgers.lockUsers(session, others);
    for (const id of others) step?.lockedUsers.add(id);
    const unknown = vendor_ids.filter((id) => step?.deferred.has(id) !== true);
    const ledgers = await this.ledgers.lockLedgers(session, unknown);
    return step === null ? ledgers : step.locked(vendor_ids, ledgers);
  }

  /** Begins a step of an import, which ends with `finish`. */
  beginStep(session: Session, imported: ImportedLedgers): LedgerStep {
    return new LedgerStep(session, imported, (step) => this.writeDeferred(step));
  }

  /** Returns transactions of all vendors by id. Unknown ids are skipped. */
  async stored(
    session: Session,
    transaction_ids: readonly string[],
    step: LedgerStep | null = null,
  ): Promise<PlacedRecord[]> {
    await step?.wroteAll(transaction_ids);
    return this.writes.recordsByIds(session, transaction_ids);
  }

  /**
   * Saves transactions of locked ledgers and updates kept sums and revisions.
   * @param step if given, the caller calls `finish` for the kept sums, and the rows may be inserted
   *   after the promise is resolved
   * @throws OutdatedReadError if a ledger has changed since it was found; the session is then
   *   repeated
   */
  async save(
    session: Session,
    ledgers: LockedLedgers,
    changes: readonly TransactionChange[],
    step: LedgerStep | null = null,
  ): Promise<void> {
    const placed = placedIn(ledgers, changes);
    if (step === null) await this.saveNow(session, ledgers, placed);
    else await this.saveInStep(session, ledgers, placed, step);
  }

  private async saveNow(
    session: Session,
    ledgers: LockedLedgers,
    placed: readonly PlacedChange[],
  ): Promise<void> {
    const sellers = await withNewProduct(session, placed);
    await this.ledgers.addArrivals(session, countChanges(placed));
    const saved = this.writes.save(session, placed);
    // The sums are computed while the database works.
    const sums = new KeptSumChanges();
    await Promise.all([saved, sums.add(placed)]);
    await this.sums.save(session, ledgers, placed, sums, sellers);
    await this.changes.recordNew(session, affiliatesIn(placed));
    await this.changes.returned(session, returnedIn(ledgers, placed));
  }

  private async saveInStep(
    session: Session,
    ledgers: LockedLedgers,
    placed: readonly PlacedChange[],
    step: LedgerStep,
  ): Promise<void> {
    const [sellers, fresh] = await Promise.all([
      withNewProduct(session, placed, step.known),
      this.changes.newAmong(session, affiliatesIn(placed), step.known),
    ]);
    const ids = new Set(placed.map(({ after }) => after.transaction_id));
    const write = await this.writes.prepared(placed);
    const sums = await step.addToSums(placed);
    const writeAll = async () => {
      await write(session);
      if (sums !== null) await this.sums.saveCollected(session, sums);
    };
    await step.write(writeAll, ids);
    for (const change of placed) {
      if (change.before === undefined) continue;
      step.replaced.push(change);
      step.known.forgetSellers(change.vendor_id);
    }
    step.deferred.add(countChanges(placed), sellers, returnedIn(ledgers, placed));
    step.deferred.addToFeed(fresh);
  }

  private async writeDeferred({ session, deferred }: LedgerStep): Promise<void> {
    const { found, counts, sellers, fed, returned } = deferred.take();
    await this.ledgers.addArrivals(session, counts);
    await this.changes.write(session, fed);
    await this.changes.returned(session, returned);
    await this.ledgers.raise(session, found, counts);
    await this.ledgers.raiseRevisionsOfUsers(session, sellers);
  }

  /**
   * Writes what the batches of a step have left to its end.
   * @param isLast true for the last step of an import
   */
  async finish(step: LedgerStep, isLast: boolean): Promise<void> {
    await step.settle();
    const ledgers = await this.ledgers.lockLedgers(step.session, [...step.lockedVendors]);
    const { replaced } = step;
    await this.sums.saveStep(step.session, ledgers, step.takeSums(), { replaced, isLast });
    step.known.trust(ledgers);
  }

  /**
   * Replaces personal data in some of a vendor's transactions, which it locks. Everything else
   * stays as it is: kept sums, versions and shares. The feed of changes reports each transaction
   * that changes.
   * @param transaction_ids at most some hundreds; ids that are not the vendor's are skipped
   * @param replaced returns the record with other personal data and no other change
   * @returns the number of transactions that changed
   */
  async replace(
    session: Session,
    vendor_id: number,
    transaction_ids: readonly string[],
    replaced: (record: TransactionRecord) => TransactionRecord,
  ): Promise<number> {
    const ledgers = await this.lock(session, [vendor_id], []);
    const stored = await this.stored(session, transaction_ids);
    const changes = stored.flatMap((record) => {
      const after = replaced(record.content);
      if (record.place.vendor_id !== vendor_id || isSame(record.content, after)) return [];
      return [changeOf(record, after)];
    });
    if (changes.length === 0) return 0;
    const placed = placedIn(ledgers, changes);
    await this.ledgers.addArrivals(session, countChanges(placed));
    await this.writes.rewrite(session, placed);
    await this.sums.save(session, ledgers, placed, new KeptSumChanges());
    return changes.length;
  }

  /**
   * Gives sales of the same second the order that another service shows. The sales of each group
   * get the order of its ids, oldest arrival first. Sales of other vendors and unknown ids are
   * skipped.
   * @returns the number of sales that moved
   */
  async reorder(
    session: Session,
    vendor_id: number,
    groups: readonly (readonly string[])[],
  ): Promise<number> {
    const places = await this.writes.arrivalsOf(session, vendor_id, groups.flat());
    const moved = groups.map((ids) => movedPlaces(ids, places)).flat();
    if (moved.length === 0) return 0;
    const ledgers = await this.lock(session, [vendor_id], []);
    const arrivals = new Map(moved.map((each) => [each.transaction_id, each.arrival]));
    const stored = await this.stored(session, [...arrivals.keys()]);
    const changes = stored.map((record) => {
      const arrival = arrivals.get(record.content.transaction_id) ?? record.place.arrival;
      return { ...changeOf(record, record.content), place: { vendor_id, arrival } };
    });
    const placed = placedIn(ledgers, changes);
    await this.ledgers.addArrivals(session, countChanges(placed));
    await this.writes.move(session, placed);
    await this.sums.save(session, ledgers, placed, new KeptSumChanges());
    return placed.length;
  }

  /**
   * Removes the next transactions of a product. It locks the vendor's ledger until the session
   * ends.
   * @param after the last arrival of the previous batch
   */
  async removeNext(session: Session, product: ProductKey, after: number): Promise<RemovedSales> {
    const { vendor_id } = product;
    const ledgers = await this.lock(session, [vendor_id], []);
    const found = await this.writes.ofProduct(session, product, after, REMOVED_AT_ONCE);
    if (found.length === 0) return { count: 0, last: null };
    const ids = found.map(({ transaction_id }) => transaction_id);
    const stored = await this.stored(session, ids);
    const removed = stored.map(({ place, content: before, sequence }): LedgerChange => {
      return { before, after: null, vendor_id, place, sequence_before: sequence };
    });
    await this.writes.remove(session, removed);
    const sums = new KeptSumChanges();
    await sums.add(removed);
    await this.sums.save(session, ledgers, removed, sums);
    await this.changes.remove(session, [
      ...ids.map((record_key) => ({ vendor_id, kind: 'transaction', record_key }) as const),
      ...(await this.affiliatesLeft(session, vendor_id, removed)),
    ]);
    return { count: removed.length, last: found.at(-1)?.arrival ?? null };
  }

  /** Returns the ids of a vendor's sales between two days, both included. */
  idsSoldBetween(vendor_id: number, first_day: string, last_day: string): Promise<string[]> {
    return this.writes.idsSoldBetween(vendor_id, startOfDay(first_day), endOfDay(last_day));
  }

  /**
   * Sets the versions of stored transactions. No revision rises, because no response shows a
   * version.
   */
  raiseVersions(session: Session, versions: readonly PlacedVersion[]): Promise<void> {
    return this.writes.raiseVersions(session, versions);
  }

  /** Counts the transactions of each of these products of a vendor. */
  async salesOfProducts(session: Session, vendor_id: number, product_ids: readonly number[]) {
    const found = await salesOfItems(session, vendor_id, 'product_month', product_ids);
    return found.map(({ item_id, sales }) => ({ product_id: item_id, found: sales }));
  }

  /** Reads sales without a rule of the service. */
  get reads(): Pick<
    TransactionWritesRepository,
    'affiliatesAmong' | 'affiliatesOfOthers' | 'countOfProduct'
  > {
    return this.writes;
  }

  /**
   * Raises the revisions of the ledgers that show these users, and records the users as changed
   * there.
   * @param onlyVendor the only vendor for whom they have changed, or null for all
   */
  async raiseRevisionsThatShow(
    session: Session,
    user_ids: readonly number[],
    onlyVendor: number | null,
  ): Promise<void> {
    const shown = await this.ledgers.raiseRevisionsThatShow(session, user_ids, onlyVendor);
    const changed = shown.map(changedAffiliate);
    await this.changes.recordAffiliates(session, user_ids, changed, onlyVendor);
  }

  /** Raises the revision of a vendor's ledger if the vendor has one. */
  raiseRevision(session: Session, vendor_id: number): Promise<void> {
    return this.ledgers.raiseRevisionsOfVendors(session, [vendor_id]);
  }

  /**
   * Records affiliates of whom vendors now see other data, if their ledgers have shown them.
   * @returns true if a ledger has shown one; its state has then changed since it was found
   */
  async recordSeen(
    session: Session,
    affiliates: readonly VendorAffiliate[],
    step: LedgerStep | null,
  ): Promise<boolean> {
    const shown = await this.changes.knownAmong(session, affiliates.map(changedAffiliate));
    if (shown.length === 0) return false;
    await step?.settle();
    await this.changes.record(session, shown);
    await this.ledgers.raiseRevisionsOfVendors(
      session,
      shown.map(({ vendor_id }) => vendor_id),
    );
    return true;
  }

  /** Returns the affiliates of removed sales who have no other sale of the vendor. */
  private async affiliatesLeft(
    session: Session,
    vendor_id: number,
    removed: readonly LedgerChange[],
  ): Promise<RemovedRecord[]> {
    const affiliates = new Set(removed.flatMap(({ before }) => before?.affiliate_id ?? []));
    const others = await salesOfItems(session, vendor_id, 'affiliate_month', [...affiliates]);
    for (const { item_id } of others) affiliates.delete(item_id);
    return Array.from(affiliates, (id) => {
      return { vendor_id, kind: 'affiliate', record_key: String(id) } as const;
    });
  }
}

/** Returns the change of a stored transaction to another content at its place. */
function changeOf(
  { content: before, record_version, place, sequence, reasons }: PlacedRecord,
  after: TransactionRecord,
): TransactionChange {
  const { vendor_id } = place;
  const stored = { before, sequence_before: sequence, reasons_before: reasons };
  return { ...stored, after, record_version, vendor_id, place };
}

/**
 * Returns the sales of a group whose place differs from the one in the group's order, with their
 * new place.
 */
function movedPlaces(
  ids: readonly string[],
  places: ReadonlyMap<string, number>,
): { readonly transaction_id: string; readonly arrival: number }[] {
  const found = ids.flatMap((transaction_id) => {
    const arrival = places.get(transaction_id);
    return arrival === undefined ? [] : [{ transaction_id, arrival }];
  });
  const slots = found.map(({ arrival }) => arrival).sort((left, right) => left - right);
  return found.flatMap(({ transaction_id, arrival }, index) => {
    const slot = slots[index] ?? arrival;
    return slot === arrival ? [] : [{ transaction_id, arrival: slot }];
  });
}

/**
 * Assigns the next sequences of their vendors to changes, and the next arrivals to new
 * transactions.
 */
function placedIn(ledgers: LockedLedgers, changes: readonly TransactionChange[]): PlacedChange[] {
  const lasts = new Map<number, { arrival: number; sequence: number }>();
  return changes.map((change) => {
    const { vendor_id } = change;
    let last = lasts.get(vendor_id);
    if (last === undefined) {
      const { last_arrival, last_sequence } = foundLedger(ledgers, vendor_id);
      last = { arrival: last_arrival, sequence: last_sequence };
      lasts.set(vendor_id, last);
    }
    last.sequence += 1;
    if (change.place === null) last.arrival += 1;
    const place = change.place ?? { vendor_id, arrival: last.arrival };
    const reasons = storedReasons(change, last.sequence);
    return { ...change, place, sequence: last.sequence, reasons };
  });
}

/**
 * Returns the new transactions of ledgers from which something was removed, because their ids may
 * be those of removed transactions.
 */
function returnedIn(ledgers: LockedLedgers, changes: readonly PlacedChange[]): RemovedRecord[] {
  const returned = changes.filter(
    ({ before, vendor_id }) =>
      before === undefined && foundLedger(ledgers, vendor_id).has_removed === 1,
  );
  return returned.map(({ vendor_id, after }) => {
    return { vendor_id, kind: 'transaction', record_key: after.transaction_id };
  });
}

/** Returns the affiliates of these transactions. */
function affiliatesIn(changes: readonly PlacedChange[]): ChangedRecord[] {
  return changes.flatMap(({ vendor_id, after: { affiliate_id } }) =>
    affiliate_id === null ? [] : [changedAffiliate({ vendor_id, affiliate_id })],
  );
}

function changedAffiliate({ vendor_id, affiliate_id }: VendorAffiliate): ChangedRecord {
  return { vendor_id, kind: 'affiliate', record_key: String(affiliate_id) };
}
