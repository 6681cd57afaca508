import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../platform/values/time.js';
import { replaceRows, runByKeys, selectByKeys, upsertRows } from '../../platform/database/bulk.js';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import {
  isLedgerKind,
  kindOfRemoved,
  removedKind,
  type ChangedRecord,
  type FeedPosition,
  type LedgerKind,
  type NamedRecord,
  type PlacedRecordChange,
  type ReasonedRecord,
  type RecordedKind,
} from './change.model.js';
import type { ChangesRange } from './change-source.model.js';
import {
  PAYMENT_KIND,
  paymentReasons,
  reasonsAt,
  reasonsText,
  type NotedReasons,
} from './reasons/change-reasons.js';
import {
  dateTime,
  key,
  optional,
  text,
  wholeNumber,
} from '../../platform/database/entities/columns.js';
import { entityOf } from '../../platform/database/entities/entity-of.js';

/**
 * Holds the latest change of each subscription, affiliate terms, product and affiliate in a
 * vendor's ledger, and of each record that left it.
 */
export const ChangedRecordEntity = entityOf({
  name: 'ChangedRecord',
  tableName: 'changed_records',
  columns: {
    vendor_id: key(wholeNumber()),
    kind: key(text(32)),
    record_key: key(text()),
    /**
     * The sequence comes from `ledger_revisions.last_sequence`, which also numbers the changes of
     * transactions.
     */
    sequence: wholeNumber(),
    changed_at: dateTime(),
    /**
     * Reasons of the changes of a subscription (ledger/changes/reasons). Null for other kinds, and
     * for a subscription that has only started.
     */
    reasons: optional(text()),
  },
  indices: [
    { name: 'changed_records_by_sequence', columns: ['vendor_id', 'kind', 'sequence'] },
    { name: 'changed_records_by_key', columns: ['kind', 'record_key'] },
  ],
});

const VENDOR = ['vendor_id'] as const;
const KEY = [...VENDOR, 'kind', 'record_key'] as const;
const COLUMNS = [...KEY, 'sequence', 'changed_at', 'reasons'] as const;
/** Holds the state of a vendor's feed. */
export interface FeedState {
  readonly last_sequence: number;
  /** 1 if a record has ever left the ledger, otherwise 0. */
  readonly has_removed: number;
}

/** A row of the table, without its vendor. */
interface PlacedRow extends Omit<FeedPosition, 'reasons'> {
  readonly reasons: string | null;
}

const EMPTY: FeedState = { last_sequence: 0, has_removed: 0 };

const OF_KIND = `SELECT kind, record_key, sequence, changed_at, reasons FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?`;

/**
 * Runs all SQL on `changed_records` and the counter of sequences. The statements are written by
 * hand: bulk writes of imports, and reads that each use one index range per kind.
 */
@Injectable()
export class ChangesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Gives each record the next sequence of its vendor. This replaces an item that reported the
   * record as removed. Locks the ledgers of the vendors.
   */
  async record(session: Session, changes: readonly ReasonedRecord[]): Promise<void> {
    const states = await this.place(session, changes);
    const returned = changes.filter(({ vendor_id }) => states.get(vendor_id)?.has_removed === 1);
    await this.forgetRemoved(session, returned);
  }

  /** Returns true if a record of a kind has left the vendor's ledger, and has not come back. */
  async hasRemoved(vendor_id: number, kind: LedgerKind): Promise<boolean> {
    const rows = await this.database.select(
      'SELECT 1 AS found FROM changed_records WHERE vendor_id = ? AND kind = ? LIMIT 1',
      [vendor_id, removedKind(kind)],
    );
    return rows.length > 0;
  }

  /** Returns the keys of those of these records that have left the vendor's ledger. */
  async removedAmong(
    vendor_id: number,
    kind: LedgerKind,
    record_keys: readonly string[],
  ): Promise<string[]> {
    const rows = await selectByKeys<Pick<NamedRecord, 'record_key'>>(
      this.database,
      'SELECT record_key FROM changed_records',
      KEY,
      record_keys.map((record_key) => [vendor_id, removedKind(kind), record_key]),
    );
    return rows.map(({ record_key }) => record_key);
  }

  /** Replaces the item of each record that left its ledger by an item of the kind `removed`. */
  async remove(session: Session, removed: readonly NamedRecord[]): Promise<void> {
    const things = removed.filter(({ kind }) => kind !== 'transaction');
    await runByKeys(session, 'DELETE FROM changed_records', KEY, things.map(keyOf));
    await this.place(session, removed.map(removedRow));
    const vendors = [...new Set(removed.map(({ vendor_id }) => vendor_id))];
    const statement = 'UPDATE ledger_revisions SET has_removed = 1';
    await runByKeys(session, statement, VENDOR, vendors, 'AND has_removed = 0');
  }

  /** Deletes the `removed` items of records that are back. */
  async forgetRemoved(session: Session, returned: readonly NamedRecord[]): Promise<void> {
    const keys = returned.map((record) => keyOf(removedRow(record)));
    await runByKeys(session, 'DELETE FROM changed_records', KEY, keys);
  }

  /** @returns the states of the vendors' feeds after the write */
  private async place(
    session: Session,
    changes: readonly ReasonedRecord[],
  ): Promise<ReadonlyMap<number, FeedState>> {
    const counts = countsOf(changes);
    await this.addSequences(session, counts);
    const states = await this.states([...counts.keys()], session);
    const next = new Map<number, number>();
    for (const [vendor_id, { last_sequence }] of states) {
      next.set(vendor_id, last_sequence - (counts.get(vendor_id) ?? 0));
    }
    const placed = changes.map((change) => {
      const sequence = (next.get(change.vendor_id) ?? 0) + 1;
      next.set(change.vendor_id, sequence);
      return { ...change, sequence };
    });
    await this.write(session, placed);
    return states;
  }

  /** Writes changes whose sequences the locked ledgers of their vendors have counted. */
  async write(session: Session, changes: readonly PlacedRecordChange[]): Promise<void> {
    const changed_at = dateTimeOf(new Date());
    const earlier = await this.earlierReasons(session, changes);
    const rows = changes.map((change) => {
      const reasons = textOf(change, earlier.get(change.record_key));
      return [...keyOf(change), change.sequence, changed_at, reasons];
    });
    await replaceRows(session, 'changed_records', COLUMNS, rows, KEY);
  }

  /** Returns the stored reasons of those of these records that have changed before, by key. */
  private async earlierReasons(
    session: Session,
    changes: readonly PlacedRecordChange[],
  ): Promise<ReadonlyMap<string, NotedReasons>> {
    const changed = changes.filter(({ reasons, isNew }) => reasons !== undefined && isNew !== true);
    const rows = await selectByKeys<PlacedRow>(
      session,
      'SELECT record_key, sequence, reasons FROM changed_records',
      KEY,
      changed.map(keyOf),
      session.dialect.forUpdate,
    );
    return new Map(rows.map((row) => [row.record_key, paymentReasons(row.reasons, row.sequence)]));
  }

  /** @returns the records that were recorded before */
  async known(session: Session, records: readonly ChangedRecord[]): Promise<ChangedRecord[]> {
    return selectByKeys<ChangedRecord>(
      session,
      // Without the hint, the planner examines each matching index, which takes longer than reading
      // the rows of many keys.
      `SELECT ${KEY.join(', ')} FROM changed_records /*! FORCE INDEX (PRIMARY) */`,
      KEY,
      records.map(keyOf),
    );
  }

  /** Returns the recorded rows of a kind in the ledgers of all vendors. */
  ofAllVendors(
    session: Session,
    kind: RecordedKind,
    record_keys: readonly string[],
  ): Promise<ChangedRecord[]> {
    return selectByKeys<ChangedRecord>(
      session,
      `SELECT ${KEY.join(', ')} FROM changed_records`,
      ['kind', 'record_key'],
      record_keys.map((record_key) => [kind, record_key]),
    );
  }

  /** Returns the state of the feed of each vendor; a vendor without a ledger has none. */
  async states(
    vendor_ids: readonly number[],
    reader: Reader = this.database,
  ): Promise<ReadonlyMap<number, FeedState>> {
    const rows = await selectByKeys<FeedState & Pick<ChangedRecord, 'vendor_id'>>(
      reader,
      'SELECT vendor_id, last_sequence, has_removed FROM ledger_revisions',
      VENDOR,
      vendor_ids,
    );
    return new Map(rows.map(({ vendor_id, ...state }) => [vendor_id, state]));
  }

  async stateOf(vendor_id: number, reader: Reader): Promise<FeedState> {
    return (await this.states([vendor_id], reader)).get(vendor_id) ?? EMPTY;
  }

  /** Returns the next changes of each of these kinds. */
  async recordedAfter(
    { reader, vendor_id, after, limit }: ChangesRange,
    kinds: readonly string[],
  ): Promise<FeedPosition[]> {
    if (kinds.length === 0) return [];
    const parts = kinds.map((kind) => `SELECT * FROM (${OF_KIND}) ${aliasOf(kind)}`);
    const values = kinds.flatMap((kind) => [vendor_id, kind, after, limit]);
    const rows = await reader.select<PlacedRow>(parts.join(' UNION ALL '), values);
    return rows.map(({ reasons, ...position }) =>
      position.kind === PAYMENT_KIND
        ? { ...position, reasons: paymentReasons(reasons, position.sequence) }
        : position,
    );
  }

  private async addSequences(session: Session, counts: ReadonlyMap<number, number>): Promise<void> {
    const rows = [...counts]
      .sort(([left], [right]) => left - right)
      .map(([vendor_id, count]) => [vendor_id, 0, count]);
    const columns = [...VENDOR, 'revision', 'last_sequence'];
    const changes = [{ column: 'last_sequence', by: 'add' }] as const;
    await upsertRows(session, 'ledger_revisions', columns, rows, VENDOR, changes);
  }
}

/**
 * Returns the alias of the rows of a kind. The plural of an extension's kind could be a word of
 * SQL, such as `groups`.
 */
function aliasOf(kind: string): string {
  return isLedgerKind(kindOfRemoved(kind) ?? kind) ? `${kind}s` : `added_${kind}`;
}

function removedRow({ vendor_id, kind, record_key }: NamedRecord): NamedRecord {
  return { vendor_id, kind: removedKind(kind), record_key };
}

/**
 * Returns the text of the reasons to store, or null for kinds without reasons.
 * @param earlier reasons of the changes before; undefined for a new record
 */
function textOf(
  { reasons, sequence }: PlacedRecordChange,
  earlier: NotedReasons | undefined,
): string | null {
  if (reasons === undefined) return null;
  return reasonsText(earlier ?? new Map(), reasonsAt(sequence, reasons));
}

function keyOf(record: NamedRecord) {
  return KEY.map((column) => record[column]);
}

function countsOf(changes: readonly NamedRecord[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { vendor_id } of changes) counts.set(vendor_id, (counts.get(vendor_id) ?? 0) + 1);
  return counts;
}
