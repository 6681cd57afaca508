import { isError } from '../../platform/errors/is-error.js';
import type { Session } from '../../platform/database/database.js';
import type { LedgerChange, LockedLedgers } from '../revisions/ledger-change.model.js';
import { DeferredRows } from './deferred-rows.js';
import { KeptSumChanges } from '../sums/kept-sums.repository.js';
import { KnownRecords } from './known-records.js';

/**
 * Number of changes after which a step saves its kept sums. With more, fewer rows of sums are
 * written, but they take more memory.
 */
const MAX_COLLECTED = 6_000;

/** Holds what the steps of an import share. */
export class ImportedLedgers {
  readonly known = new KnownRecords();
  /** By vendor, whether the ledger was empty when the import first locked it. */
  private readonly wereEmpty = new Map<number, boolean>();

  /** Returns true if the vendor's ledger was empty before the import. */
  isFirst(vendor_id: number, last_arrival: number): boolean {
    const wasEmpty = this.wereEmpty.get(vendor_id) ?? last_arrival === 0;
    this.wereEmpty.set(vendor_id, wasEmpty);
    return wasEmpty;
  }
}

/**
 * Holds what several batches of an import share that are written in one transaction: the changes of
 * their kept sums and of the rows of ledgers, which are saved at the end, and the rows that are being
 * inserted while the next batch is checked (docs/adr/0048-steps-of-an-import.md).
 */
export class LedgerStep {
  private collected = new KeptSumChanges();
  /** Changes of transactions that were stored before their batch. */
  readonly replaced: LedgerChange[] = [];
  /** Changes of the rows of ledgers that the step writes at its end. */
  readonly deferred = new DeferredRows();
  /** Users and vendors that the step has locked. */
  readonly lockedUsers = new Set<number>();
  readonly lockedVendors = new Set<number>();
  private isFirstImport = true;
  private writing: Promise<void> = Promise.resolve();
  private writtenIds: ReadonlySet<string> = new Set();

  private failure: Error | null = null;
  /**
   * The session of the step. It refuses all statements after one has failed: the server may have
   * rolled the transaction back, so a later statement would take effect by itself.
   */
  readonly session: Session;

  /** @param writeDeferred writes the deferred rows */
  constructor(
    session: Session,
    private readonly imported: ImportedLedgers,
    private readonly writeDeferred: (step: LedgerStep) => Promise<void>,
  ) {
    this.session = {
      ...session,
      select: (sql, values) => this.guarded(() => session.select(sql, values)),
      run: (sql, values) => this.guarded(() => session.run(sql, values)),
    };
  }

  get known(): KnownRecords {
    return this.imported.known;
  }

  /**
   * True if all ledgers of the step were empty before the import, so that hardly anybody waits for
   * their locks.
   */
  get mayGrow(): boolean {
    return this.isFirstImport && this.lockedVendors.size > 0;
  }

  /**
   * Notes the ledgers that a batch has locked.
   * @param vendor_ids the vendors of the batch
   * @returns their ledgers with the changes that are not written yet
   */
  locked(vendor_ids: readonly number[], ledgers: LockedLedgers): LockedLedgers {
    this.noteLocked(ledgers);
    return new Map(Array.from(new Set(vendor_ids), (id) => [id, this.deferred.stateOf(id)]));
  }

  private noteLocked(ledgers: LockedLedgers): void {
    this.deferred.noteFound(ledgers);
    const fresh = [...ledgers].filter(([vendor_id]) => !this.lockedVendors.has(vendor_id));
    this.known.check(new Map(fresh));
    for (const [vendor_id, { last_arrival }] of fresh) {
      this.lockedVendors.add(vendor_id);
      if (!this.imported.isFirst(vendor_id, last_arrival)) this.isFirstImport = false;
    }
  }

  /**
   * Adds the changes of a batch to the kept sums.
   * @returns the sums to save if they are many
   */
  async addToSums(changes: readonly LedgerChange[]): Promise<KeptSumChanges | null> {
    await this.collected.add(changes);
    return this.collected.size < MAX_COLLECTED ? null : this.takeSums();
  }

  /** Returns the kept sums that are not saved yet. */
  takeSums(): KeptSumChanges {
    const sums = this.collected;
    this.collected = new KeptSumChanges();
    return sums;
  }

  /**
   * Begins to write rows, after those of the previous batch.
   * @param transaction_ids the transactions of the rows
   */
  async write(write: () => Promise<void>, transaction_ids: ReadonlySet<string>): Promise<void> {
    await this.writing;
    this.writtenIds = transaction_ids;
    this.writing = write();
    // The error is thrown by the next wait.
    this.writing.catch(() => undefined);
  }

  /** Waits for the rows of the previous batch if it has one of these transactions. */
  async wroteAll(transaction_ids: readonly string[]): Promise<void> {
    if (transaction_ids.some((id) => this.writtenIds.has(id))) await this.writing;
  }

  /**
   * Writes everything that the step has deferred except kept sums. The state of the ledgers is read
   * again when they are locked next.
   */
  async settle(): Promise<void> {
    await this.writing;
    await this.writeDeferred(this);
  }

  /** Waits until no statement of the step runs any more, after an error. */
  async settled(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  private async guarded<Result>(send: () => Promise<Result>): Promise<Result> {
    if (this.failure !== null) throw this.failure;
    try {
      return await send();
    } catch (error) {
      this.failure ??= isError(error) ? error : new Error('a statement failed', { cause: error });
      throw error;
    }
  }
}
