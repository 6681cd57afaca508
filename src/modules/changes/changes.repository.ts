import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../common/time.js';
import { replaceRows, runByKeys, selectByKeys, upsertRows } from '../../database/bulk.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import type { ChangedRecord, FeedPosition, RecordedKind } from './change.model.js';
import type { ChangesRange } from './change-source.model.js';

const VENDOR = ['vendor_id'] as const;
const KEY = [...VENDOR, 'kind', 'record_key'] as const;
const COLUMNS = [...KEY, 'sequence', 'changed_at'] as const;
const OF_KIND = `SELECT kind, record_key, sequence, changed_at FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?`;

/**
 * All SQL on `changed_records`, and the counter of sequences. By hand: bulk writes of imports, and reads
 * that each use one index range for each kind.
 */
@Injectable()
export class ChangesRepository {
  constructor(private readonly database: Database) {}

  /** Gives each record the next sequence of its vendor. This locks the vendors' ledgers. */
  async record(session: Session, changes: readonly ChangedRecord[]): Promise<void> {
    const counts = countsOf(changes);
    await this.addSequences(session, counts);
    const next = new Map<number, number>();
    for (const [vendor_id, last] of await this.lastSequences([...counts.keys()], session)) {
      next.set(vendor_id, last - (counts.get(vendor_id) ?? 0));
    }
    const changed_at = dateTimeOf(new Date());
    const rows = changes.map(({ vendor_id, kind, record_key }) => {
      const sequence = (next.get(vendor_id) ?? 0) + 1;
      next.set(vendor_id, sequence);
      return [vendor_id, kind, record_key, sequence, changed_at];
    });
    await replaceRows(session, 'changed_records', COLUMNS, rows, KEY);
  }

  /** Forgets records that are no longer in the vendor's ledger. */
  async forget(session: Session, records: readonly ChangedRecord[]): Promise<void> {
    await runByKeys(session, 'DELETE FROM changed_records', KEY, records.map(keyOf));
  }

  /** @returns those that were recorded before */
  async known(session: Session, records: readonly ChangedRecord[]): Promise<ChangedRecord[]> {
    return selectByKeys<ChangedRecord>(
      session,
      // Each index that fits is searched for a plan, which took longer for 500 keys than their rows.
      `SELECT ${KEY.join(', ')} FROM changed_records /*! FORCE INDEX (PRIMARY) */`,
      KEY,
      records.map(keyOf),
    );
  }

  /** Those of a kind in the ledgers of all vendors. */
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

  /** The last sequence of each vendor; a vendor without a ledger has none. */
  async lastSequences(
    vendor_ids: readonly number[],
    reader: Reader = this.database,
  ): Promise<ReadonlyMap<number, number>> {
    const rows = await selectByKeys<{ readonly vendor_id: number; readonly last_sequence: number }>(
      reader,
      'SELECT vendor_id, last_sequence FROM ledger_revisions',
      VENDOR,
      vendor_ids.map((vendor_id) => [vendor_id]),
    );
    return new Map(rows.map(({ vendor_id, last_sequence }) => [vendor_id, last_sequence]));
  }

  /** The next changes of each of these kinds. */
  recordedAfter(
    { reader, vendor_id, after, limit }: ChangesRange,
    kinds: readonly RecordedKind[],
  ): Promise<FeedPosition[]> {
    if (kinds.length === 0) return Promise.resolve([]);
    const parts = kinds.map((kind) => `SELECT * FROM (${OF_KIND}) ${kind}s`);
    const values = kinds.flatMap((kind) => [vendor_id, kind, after, limit]);
    return reader.select<FeedPosition>(parts.join(' UNION ALL '), values);
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

function keyOf(record: ChangedRecord) {
  return KEY.map((column) => record[column]);
}

function countsOf(changes: readonly ChangedRecord[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { vendor_id } of changes) counts.set(vendor_id, (counts.get(vendor_id) ?? 0) + 1);
  return counts;
}
