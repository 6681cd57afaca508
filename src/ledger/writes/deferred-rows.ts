import type { ChangedRecord, NamedRecord, PlacedRecordChange } from '../changes/change.model.js';
import {
  foundLedger,
  type ChangeCounts,
  type LockedLedger,
  type LockedLedgers,
} from '../revisions/ledger-change.model.js';

/** Contains what a step still has to write to the rows of its ledgers. */
export interface LedgerRows {
  /** The ledgers as they are stored. */
  readonly found: LockedLedgers;
  /** Numbers of changes by vendor, including those of the feed. */
  readonly counts: ReadonlyMap<number, ChangeCounts>;
  /** Affiliates whose own revisions rise. */
  readonly sellers: readonly number[];
  /** Items of the feed of changes, with their sequences. */
  readonly fed: readonly PlacedRecordChange[];
  /** Records whose `removed` items are deleted, because they are back. */
  readonly returned: readonly NamedRecord[];
}

/**
 * Collects the changes of the rows of ledgers that a step has locked: numbers that its batches have
 * taken, revisions, and items of the feed. They are written once for the whole step, so that the
 * next batch need not wait for them.
 */
export class DeferredRows {
  private found = new Map<number, LockedLedger>();
  private counts = new Map<number, ChangeCounts>();
  private sellers = new Set<number>();
  private fed: PlacedRecordChange[] = [];
  private returned: NamedRecord[] = [];

  /** Returns true if the state of the vendor's ledger is known. */
  has(vendor_id: number): boolean {
    return this.found.has(vendor_id);
  }

  noteFound(ledgers: LockedLedgers): void {
    for (const [vendor_id, ledger] of ledgers) this.found.set(vendor_id, ledger);
  }

  /** Returns the state of a ledger with the changes that are not written yet. */
  stateOf(vendor_id: number): LockedLedger {
    const found = foundLedger(this.found, vendor_id);
    const { arrived, changed } = this.countsOf(vendor_id);
    const { last_arrival, last_sequence } = found;
    return {
      ...found,
      last_arrival: last_arrival + arrived,
      last_sequence: last_sequence + changed,
    };
  }

  /**
   * Adds the changes of a batch.
   * @param sellers affiliates whose own revisions rise
   * @param returned transactions whose `removed` items are deleted
   */
  add(
    counts: ReadonlyMap<number, ChangeCounts>,
    sellers: readonly number[],
    returned: readonly NamedRecord[],
  ): void {
    for (const [vendor_id, more] of counts) this.count(vendor_id, more);
    for (const id of sellers) this.sellers.add(id);
    this.returned.push(...returned);
  }

  /** Gives each record the next sequence of its vendor. */
  addToFeed(records: readonly ChangedRecord[]): void {
    for (const record of records) {
      const { last_sequence, has_removed } = this.stateOf(record.vendor_id);
      this.count(record.vendor_id, { arrived: 0, changed: 1 });
      this.fed.push({ ...record, sequence: last_sequence + 1 });
      if (has_removed === 1) this.returned.push(record);
    }
  }

  /** Returns what is to be written, and forgets it and the states of the ledgers. */
  take(): LedgerRows {
    const { found, counts, sellers, fed, returned } = this;
    this.found = new Map();
    this.counts = new Map();
    this.sellers = new Set();
    this.fed = [];
    this.returned = [];
    return { found, counts, sellers: [...sellers], fed, returned };
  }

  private count(vendor_id: number, more: ChangeCounts): void {
    const { arrived, changed } = this.countsOf(vendor_id);
    this.counts.set(vendor_id, {
      arrived: arrived + more.arrived,
      changed: changed + more.changed,
    });
  }

  private countsOf(vendor_id: number): ChangeCounts {
    return this.counts.get(vendor_id) ?? { arrived: 0, changed: 0 };
  }
}
