import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { insertRows, selectByKeys } from '../../../../database/bulk.js';
import type { Session } from '../../../../database/database.js';
import type { StoredTrackingValue } from './tracking.entity.js';
import type { FieldValues, ValueIds } from './tracked-sums.js';
import { TrackingBounds } from './tracking-bounds.model.js';
import { TRACKED_FIELDS } from './tracking.model.js';

const FIELD = ['vendor_id', 'field'] as const;
const VALUE = [...FIELD, 'value'] as const;
const COLUMNS = [...FIELD, 'id', 'value'] as const;
/**
 * Maximum number of full fields whose values are kept in memory. Each takes up to half a megabyte.
 */
const MAX_KEPT = 100;

/** Maps a field's values to their ids. */
type Ids = ReadonlyMap<string, number>;

/**
 * Numbers the values that have kept sums of their own. The vendor's ledger is locked meanwhile, so
 * that the numbers have no gaps and no value gets two.
 */
@Injectable()
export class TrackingValuesRepository {
  /**
   * The values of full fields, which never change. They save a look-up for most values of a click
   * id.
   */
  private readonly full = new LRUCache<string, Ids>({ max: MAX_KEPT });

  constructor(private readonly bounds: TrackingBounds) {}

  /** Returns the ids of values. It numbers new values as long as the field has room for them. */
  async idsOf(session: Session, wanted: readonly FieldValues[]): Promise<ValueIds> {
    const ids = new Map<string, Ids>();
    const sought = wanted.filter((field) => {
      const kept = this.full.get(nameOf(field));
      if (kept !== undefined) ids.set(nameOf(field), kept);
      return kept === undefined;
    });
    const stored = byField(await this.stored(session, sought));
    const unknown = sought.flatMap((field) => {
      const known = stored.get(nameOf(field));
      const values = [...field.values].filter((value) => known?.has(value) !== true);
      return values.length === 0 ? [] : [{ ...field, values }];
    });
    const numbered = byField(await this.number(session, unknown));
    for (const field of sought) {
      const name = nameOf(field);
      ids.set(name, new Map([...(stored.get(name) ?? []), ...(numbered.get(name) ?? [])]));
    }
    const ofFields = new Map(TRACKED_FIELDS.map((field) => [field, new Map<number, Ids>()]));
    for (const { vendor_id, field } of wanted) {
      ofFields.get(field)?.set(vendor_id, ids.get(nameOf({ vendor_id, field })) ?? new Map());
    }
    return (vendor_id, field, value) => ofFields.get(field)?.get(vendor_id)?.get(value) ?? null;
  }

  private stored(session: Session, sought: readonly FieldValues[]): Promise<StoredTrackingValue[]> {
    return selectByKeys<StoredTrackingValue>(
      session,
      `SELECT ${COLUMNS.join(', ')} FROM tracking_values`,
      VALUE,
      sought.flatMap(({ vendor_id, field, values }) =>
        Array.from(values, (value) => [vendor_id, field, value]),
      ),
    );
  }

  private async number(
    session: Session,
    unknown: readonly (Pick<FieldValues, 'vendor_id' | 'field'> & {
      readonly values: readonly string[];
    })[],
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
    await insertRows(
      session,
      'tracking_values',
      COLUMNS,
      rows.map((row) => COLUMNS.map((column) => row[column])),
    );
    for (const field of unknown) {
      const used = last.get(nameOf(field)) ?? 0;
      if (used + field.values.length >= this.bounds.values) await this.keep(session, field);
    }
    return rows;
  }

  /** Keeps the values of a full field in memory, after the commit that stores them. */
  private async keep(
    session: Session,
    { vendor_id, field }: Pick<FieldValues, 'vendor_id' | 'field'>,
  ): Promise<void> {
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

function byField(rows: readonly StoredTrackingValue[]): Map<string, Map<string, number>> {
  const fields = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const ids = fields.get(nameOf(row)) ?? new Map<string, number>();
    fields.set(nameOf(row), ids.set(row.value, row.id));
  }
  return fields;
}

function nameOf({ vendor_id, field }: Pick<FieldValues, 'vendor_id' | 'field'>): string {
  return `${vendor_id} ${field}`;
}
