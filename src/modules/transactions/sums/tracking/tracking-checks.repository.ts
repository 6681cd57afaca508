import { Injectable } from '@nestjs/common';
import { Database, type Reader, type SqlRow } from '../../../../database/database.js';
import type { Difference } from '../../transaction.model.js';
import type { StoredRevision } from '../ledger-count.entity.js';
import type { StoredTrackingSums, StoredTrackingValue } from './tracking.entity.js';
import { TRACKED_COLUMNS, type TrackedSale } from './tracked-sale.model.js';
import { trackedSumsOf, type SignedSale, type ValueIds } from './tracked-sums.js';
import { TRACKING_SUMS } from './tracking.model.js';

/** Number of sales that are read at a time. */
const BATCH = 2_000;
const KEY = ['series', 'kind', 'day', 'value_id'] as const;

type Sums = Map<string, readonly bigint[]>;
type SumsRow = Pick<StoredTrackingSums, (typeof KEY)[number]> &
  Readonly<Record<(typeof TRACKING_SUMS)[number], string>>;

/**
 * Recomputes the kept sums by tracking field, one vendor after another. Only `verify` calls it. It
 * does not compute them in SQL, which would read the ledger once for each field.
 */
@Injectable()
export class TrackingChecksRepository {
  constructor(private readonly database: Database) {}

  async differences(): Promise<Difference[]> {
    const vendors = await this.database.select<VendorRow>(
      'SELECT vendor_id FROM ledger_revisions ORDER BY vendor_id',
      [],
    );
    const found: Difference[] = [];
    for (const { vendor_id } of vendors) {
      found.push(
        ...(await this.database.readSnapshot(NO_REPLICA, (state) => ofVendor(state, vendor_id))),
      );
    }
    return found;
  }
}

/** Excludes replicas, because `verify` checks the sums of the primary. */
const NO_REPLICA = () => Promise.resolve(false);

type VendorRow = Pick<StoredRevision, 'vendor_id'>;

/**
 * Compares a vendor's kept sums with the ledger.
 * @param state a snapshot that shows one state of both, even while others write
 */
async function ofVendor(state: Reader, vendor_id: number): Promise<Difference[]> {
  const [row] = await state.select<Pick<StoredRevision, 'tracked_sequence'>>(
    'SELECT tracked_sequence FROM ledger_revisions WHERE vendor_id = ?',
    [vendor_id],
  );
  const kept = await keptOf(state, vendor_id);
  const actual = await actualOf(state, vendor_id, row?.tracked_sequence ?? 0);
  return differencesBetween(vendor_id, kept, actual);
}

async function keptOf(state: Reader, vendor_id: number): Promise<Sums> {
  const sums = TRACKING_SUMS.map((sum) => `CAST(${sum} AS CHAR) AS ${sum}`).join(', ');
  const rows = await state.select<SumsRow>(
    `SELECT ${KEY.join(', ')}, ${sums} FROM tracking_sums WHERE vendor_id = ?`,
    [vendor_id],
  );
  return new Map(
    rows.map((row) => [
      KEY.map((column) => row[column]).join(', '),
      TRACKING_SUMS.map((sum) => BigInt(row[sum])),
    ]),
  );
}

async function actualOf(state: Reader, vendor_id: number, tracked: number): Promise<Sums> {
  const ids = await valueIdsOf(state, vendor_id);
  const actual: Sums = new Map();
  for await (const sales of salesOf(state, vendor_id, tracked)) {
    const signed = sales.map((sale): SignedSale => ({ vendor_id, sale, sign: 1 }));
    const idOf: ValueIds = (_, field, value) => ids.get(`${field} ${value}`) ?? null;
    for (const { key, sums } of trackedSumsOf(signed, idOf).rows()) add(actual, key, sums);
  }
  return actual;
}

async function valueIdsOf(state: Reader, vendor_id: number): Promise<ReadonlyMap<string, number>> {
  const rows = await state.select<StoredTrackingValue>(
    'SELECT field, id, value FROM tracking_values WHERE vendor_id = ?',
    [vendor_id],
  );
  return new Map(rows.map(({ field, id, value }) => [`${field} ${value}`, id]));
}

async function* salesOf(
  state: Reader,
  vendor_id: number,
  tracked: number,
): AsyncGenerator<TrackedSale[]> {
  for (let after = 0; ;) {
    const rows = await state.select<TrackedSale & { readonly arrival: number }>(
      `SELECT arrival, ${TRACKED_COLUMNS.join(', ')} FROM transactions
        WHERE vendor_id = ? AND arrival > ? AND COALESCE(sequence, arrival) <= ?
        ORDER BY arrival LIMIT ?`,
      [vendor_id, after, tracked, BATCH],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.arrival;
  }
}

/**
 * Adds sums to those of a key.
 * @param key begins with the vendor, which is left out
 */
function add(to: Sums, key: SqlRow, sums: readonly number[]): void {
  const name = key.slice(1).join(', ');
  const known = to.get(name);
  to.set(
    name,
    sums.map((sum, at) => BigInt(sum) + (known?.[at] ?? 0n)),
  );
}

function differencesBetween(vendor_id: number, kept: Sums, actual: Sums): Difference[] {
  const keys = [...new Set([...kept.keys(), ...actual.keys()])];
  return keys.flatMap((key) =>
    TRACKING_SUMS.flatMap((sum, at) => {
      const [stored, counted] = [kept.get(key)?.[at] ?? 0n, actual.get(key)?.[at] ?? 0n];
      const figure = `${sum} of vendor's tracking, kind, day, value ${vendor_id}, ${key}`;
      if (stored === counted) return [];
      return [{ figure, kept: Number(stored), actual: Number(counted) }];
    }),
  );
}
