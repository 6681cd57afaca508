import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { selectByKeys } from '../../platform/database/bulk.js';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import { columnsOfEntity, insertEntities } from '../../platform/database/entities/entity-rows.js';
import type { Difference } from './kept-sum.js';
import {
  countChanges,
  foundLedger,
  type LedgerChange,
  type LockedLedgers,
} from '../revisions/ledger-change.model.js';
import { vendorsWithLedger } from '../reads/transaction-row.model.js';
import { TRACKED_FIELDS } from './kept-sums.model.js';
import {
  TRACKED_COLUMNS,
  TRACKING_SUMS,
  TrackingBounds,
  TrackingValueEntity,
  trackedSumsOf,
  valuesIn,
  type FieldValues,
  type SignedSale,
  type StoredTrackingValue,
  type TrackedSale,
  type TrackingSum,
  type ValueIds,
} from './tracking-sums.js';

const FIELD = ['vendor_id', 'field'] as const;
const VALUE = [...FIELD, 'value'] as const;
const COLUMNS = columnsOfEntity(TrackingValueEntity);
/**
 * Maximum number of full fields whose values are kept in memory. Each takes up to half a megabyte.
 */
const MAX_KEPT = 100;
/** Number of sales that `verify` reads at a time. */
const BATCH = 2_000;

/** Maps a field's values to their ids. */
type Ids = ReadonlyMap<string, number>;
type VendorField = Pick<FieldValues, 'vendor_id' | 'field'>;

/** Describes the changes of a ledger that its kept sums do not include yet. */
interface Waiting {
  readonly vendor_id: number;
  /** The waiting changes have the sequences after `tracked`, up to `last`. */
  readonly tracked: number;
  readonly last: number;
}

/** Describes the end of a step of an import. */
export interface EndOfStep {
  /** Changes of transactions that were stored before. */
  readonly replaced: readonly LedgerChange[];
  /** True for the last step of the import. */
  readonly isLast: boolean;
}

/**
 * Maintains and verifies the kept sums by tracking field
 * (docs/adr/0032-tracking-sums-follow-the-ledger.md). It also numbers the values that have kept
 * sums of their own. The vendor's ledger is locked meanwhile, so that the numbers have no gaps and
 * no value gets two.
 */
@Injectable()
export class TrackingSumsRepository {
  /**
   * The values of full fields, which never change. They save a look-up for most values of a click
   * id.
   */
  private readonly full = new LRUCache<string, Ids>({ max: MAX_KEPT });

  constructor(
    private readonly database: Database,
    private readonly bounds: TrackingBounds,
  ) {}

  /**
   * Updates the kept sums. The changes have already been written.
   * @param ledgers the locked ledgers as they were before the changes
   */
  async apply(
    session: Session,
    ledgers: LockedLedgers,
    changes: readonly LedgerChange[],
  ): Promise<void> {
    const waiting = waitingIn(ledgers, changes);
    await this.update(session, ledgers, { waiting, least: this.bounds.waiting }, changes);
  }

  /**
   * Updates the kept sums at the end of a step. Its changes have already been written.
   * @param ledgers the locked ledgers as they are after the step
   */
  async applyStep(
    session: Session,
    ledgers: LockedLedgers,
    { replaced, isLast }: EndOfStep,
  ): Promise<void> {
    const waiting = Array.from(ledgers, ([vendor_id, { last_sequence, tracked_sequence }]) => {
      return { vendor_id, tracked: tracked_sequence, last: last_sequence };
    });
    const { waiting: most, waitingAtEnd } = this.bounds;
    const least = isLast ? Math.min(most, waitingAtEnd) : most;
    await this.update(session, ledgers, { waiting, least }, replaced);
  }

  /** Subtracts replaced sales, and adds the waiting changes of a ledger if they are at least `least`. */
  private async update(
    session: Session,
    ledgers: LockedLedgers,
    { waiting, least }: { readonly waiting: readonly Waiting[]; readonly least: number },
    changes: readonly LedgerChange[],
  ): Promise<void> {
    const sales: SignedSale[] = [];
    for (const { before, sequence_before, vendor_id } of changes) {
      if (before === undefined || sequence_before === null) continue;
      const { tracked_sequence } = foundLedger(ledgers, vendor_id);
      if (sequence_before <= tracked_sequence) sales.push({ vendor_id, record: before, sign: -1 });
    }
    const due = waiting.filter(({ tracked, last }) => last - tracked >= least);
    for (const ledger of due) sales.push(...(await waitingSales(session, ledger)));
    const idOf = await this.idsOf(session, valuesIn(sales));
    await trackedSumsOf(sales, idOf).save(session);
    for (const { vendor_id, last } of due) {
      const sql = 'UPDATE ledger_revisions SET tracked_sequence = ? WHERE vendor_id = ?';
      await session.run(sql, [last, vendor_id]);
    }
  }

  /**
   * Adds the sales up again, one vendor after another, and returns the kept sums that differ. Only
   * `verify` calls it.
   */
  async differences(): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const vendor_id of await vendorsWithLedger(this.database)) {
      found.push(
        ...(await this.database.readSnapshot(NO_REPLICA, (state) => ofVendor(state, vendor_id))),
      );
    }
    return found;
  }

  /** Returns the ids of values. It numbers new values as long as the field has room for them. */
  private async idsOf(session: Session, wanted: readonly FieldValues[]): Promise<ValueIds> {
    const full = new Map(wanted.map((field) => [field, this.full.get(nameOf(field))]));
    const sought = wanted.filter((field) => full.get(field) === undefined);
    const stored = await selectByKeys<StoredTrackingValue>(
      session,
      `SELECT ${COLUMNS.join(', ')} FROM tracking_values`,
      VALUE,
      sought.flatMap(({ vendor_id, field, values }) =>
        Array.from(values, (value) => [vendor_id, field, value]),
      ),
    );
    const known = byField(stored);
    const unknown = sought.flatMap((field) => {
      const ids = known.get(nameOf(field));
      const values = [...field.values].filter((value) => ids?.has(value) !== true);
      return values.length === 0 ? [] : [{ ...field, values }];
    });
    const ids = byField([...stored, ...(await this.number(session, unknown))]);
    // A map of each field saves building a text for each value of each sale.
    const ofFields = new Map(TRACKED_FIELDS.map((field) => [field, new Map<number, Ids>()]));
    for (const field of wanted) {
      const own = full.get(field) ?? ids.get(nameOf(field)) ?? new Map();
      ofFields.get(field.field)?.set(field.vendor_id, own);
    }
    return (vendor_id, field, value) => ofFields.get(field)?.get(vendor_id)?.get(value) ?? null;
  }

  private async number(
    session: Session,
    unknown: readonly (VendorField & { readonly values: readonly string[] })[],
  ): Promise<StoredTrackingValue[]> {
    const counts = await selectByKeys<Omit<StoredTrackingValue, 'value'>>(
      session,
      `SELECT ${FIELD.join(', ')}, MAX(id) AS id FROM tracking_values`,
      FIELD,
      unknown.map(({ vendor_id, field }) => [vendor_id, field]),
      `GROUP BY ${FIELD.join(', ')}`,
    );
    const last = new Map(counts.map((count) => [nameOf(count), count.id]));
    const rows = unknown.flatMap(({ vendor_id, field, values }): StoredTrackingValue[] => {
      const used = last.get(nameOf({ vendor_id, field })) ?? 0;
      const fitting = values.slice(0, Math.max(0, this.bounds.values - used));
      return fitting.map((value, at) => ({ vendor_id, field, id: used + at + 1, value }));
    });
    await insertEntities(session, TrackingValueEntity, rows);
    for (const field of unknown) {
      const used = last.get(nameOf(field)) ?? 0;
      if (used + field.values.length >= this.bounds.values) await this.keep(session, field);
    }
    return rows;
  }

  /** Keeps the values of a full field in memory, after the commit that stores them. */
  private async keep(session: Session, { vendor_id, field }: VendorField): Promise<void> {
    const rows = await session.select<Pick<StoredTrackingValue, 'id' | 'value'>>(
      'SELECT id, value FROM tracking_values WHERE vendor_id = ? AND field = ?',
      [vendor_id, field],
    );
    const ids = new Map(rows.map(({ id, value }) => [value, id]));
    session.onEnd((outcome) => {
      if (outcome === 'committed') this.full.set(nameOf({ vendor_id, field }), ids);
    });
  }
}

/** Returns the waiting changes of each ledger, including these changes. */
function waitingIn(ledgers: LockedLedgers, changes: readonly LedgerChange[]): Waiting[] {
  return Array.from(countChanges(changes), ([vendor_id, { changed }]) => {
    const { last_sequence, tracked_sequence } = foundLedger(ledgers, vendor_id);
    return { vendor_id, tracked: tracked_sequence, last: last_sequence + changed };
  });
}

async function waitingSales(
  session: Session,
  { vendor_id, tracked, last }: Waiting,
): Promise<SignedSale[]> {
  const rows = await session.select<TrackedSale>(
    `SELECT ${TRACKED_COLUMNS.join(', ')}
      FROM transactions /*! FORCE INDEX (transactions_by_sequence) */
      WHERE vendor_id = ? AND sequence > ? AND sequence <= ?`,
    [vendor_id, tracked, last],
  );
  return rows.map((record) => ({ vendor_id, record, sign: 1 }));
}

function byField(rows: readonly StoredTrackingValue[]): ReadonlyMap<string, Ids> {
  const fields = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const ids = fields.get(nameOf(row)) ?? new Map<string, number>();
    fields.set(nameOf(row), ids.set(row.value, row.id));
  }
  return fields;
}

function nameOf({ vendor_id, field }: VendorField): string {
  return `${vendor_id} ${field}`;
}

/** Excludes replicas, because `verify` checks the sums of the primary. */
const NO_REPLICA = () => Promise.resolve(false);

/** Sums as bigints, by the columns of their key without the vendor. */
type Sums = Map<string, readonly bigint[]>;

/**
 * Compares a vendor's kept sums with the ledger.
 * @param state a snapshot that shows one state of both, even while others write
 */
async function ofVendor(state: Reader, vendor_id: number): Promise<Difference[]> {
  const kept = await keptOf(state, vendor_id);
  const actual = await actualOf(state, vendor_id);
  const keys = [...new Set([...kept.keys(), ...actual.keys()])];
  return keys.flatMap((key) =>
    TRACKING_SUMS.sums.flatMap((sum, at) => {
      const [stored, counted] = [kept.get(key)?.[at] ?? 0n, actual.get(key)?.[at] ?? 0n];
      const figure = `${sum} of vendor's tracking, kind, day, value ${vendor_id}, ${key}`;
      if (stored === counted) return [];
      return [{ figure, kept: Number(stored), actual: Number(counted) }];
    }),
  );
}

async function keptOf(state: Reader, vendor_id: number): Promise<Sums> {
  const key = TRACKING_SUMS.key.slice(1);
  const sums = TRACKING_SUMS.sums.map((sum) => `CAST(${sum} AS CHAR) AS ${sum}`).join(', ');
  const rows = await state.select<
    Readonly<Record<TrackingSum, string>> & Readonly<Record<string, string | number>>
  >(`SELECT ${key.join(', ')}, ${sums} FROM tracking_sums WHERE vendor_id = ?`, [vendor_id]);
  return new Map(
    rows.map((row) => [
      key.map((column) => row[column]).join(', '),
      TRACKING_SUMS.sums.map((sum) => BigInt(row[sum])),
    ]),
  );
}

async function actualOf(state: Reader, vendor_id: number): Promise<Sums> {
  const values = await state.select<StoredTrackingValue>(
    'SELECT field, id, value FROM tracking_values WHERE vendor_id = ?',
    [vendor_id],
  );
  const ids = new Map(values.map(({ field, id, value }) => [`${field} ${value}`, id]));
  const idOf: ValueIds = (_, field, value) => ids.get(`${field} ${value}`) ?? null;
  const actual: Sums = new Map();
  for await (const sales of trackedSales(state, vendor_id)) {
    for (const { key, sums } of trackedSumsOf(sales, idOf).rows()) {
      const name = key.slice(1).join(', ');
      const known = actual.get(name);
      actual.set(
        name,
        sums.map((sum, at) => BigInt(sum) + (known?.[at] ?? 0n)),
      );
    }
  }
  return actual;
}

/** Yields the sales that the kept sums include. */
async function* trackedSales(state: Reader, vendor_id: number): AsyncGenerator<SignedSale[]> {
  const [ledger] = await state.select<{ readonly tracked_sequence: number }>(
    'SELECT tracked_sequence FROM ledger_revisions WHERE vendor_id = ?',
    [vendor_id],
  );
  for (let after = 0; ;) {
    const rows = await state.select<TrackedSale & { readonly arrival: number }>(
      `SELECT arrival, ${TRACKED_COLUMNS.join(', ')} FROM transactions
        WHERE vendor_id = ? AND arrival > ? AND COALESCE(sequence, arrival) <= ?
        ORDER BY arrival LIMIT ?`,
      [vendor_id, after, ledger?.tracked_sequence ?? 0, BATCH],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((record) => ({ vendor_id, record, sign: 1 }));
    after = last.arrival;
  }
}
