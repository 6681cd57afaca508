import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../../database/bulk.js';
import type { Reader } from '../../../database/database.js';
import {
  TRACKED_COLUMNS,
  type TrackedSale,
} from '../../transactions/rollups/tracking/tracked-sale.model.js';
import {
  ANY_VALUE,
  monthSeriesOf,
  type TrackedField,
} from '../../transactions/rollups/tracking/tracking.model.js';
import type { DayRange } from '../report.model.js';
import type { ItemSums } from '../sums/report-sums.model.js';
import { monthSpans, type SignedDays, type SumsSource } from '../sums/sums-source.js';
import { partSums, summed, type SumsRow } from '../sums/summed-parts.js';
import type { TrackingRequest } from './tracking-report.model.js';

interface StoredValue {
  readonly id: number;
  readonly value: string;
}

/** A part of a range in one series. */
interface Span {
  readonly source: SumsSource;
  readonly range: SignedDays;
}

/** The reads of the sums by tracking field. By hand: they rank thousands of values. */
@Injectable()
export class TrackingReportRepository {
  /** The sales that the sums do not have yet. */
  async waitingSales(reader: Reader, vendor_id: number): Promise<TrackedSale[]> {
    const [ledger] = await reader.select<{ readonly tracked_sequence: number }>(
      'SELECT tracked_sequence FROM ledger_revisions WHERE vendor_id = ?',
      [vendor_id],
    );
    return reader.select<TrackedSale>(
      `SELECT ${TRACKED_COLUMNS.join(', ')}
        FROM transactions /*! FORCE INDEX (transactions_by_sequence) */
        WHERE vendor_id = ? AND sequence > ?`,
      [vendor_id, ledger?.tracked_sequence ?? 0],
    );
  }

  /** The values with the highest gross, highest first, added as in TopItemsRepository. */
  async topIds(reader: Reader, request: TrackingRequest, limit: number): Promise<number[]> {
    const spans = spansOf(request);
    const parts = spans.map(({ source, range: { sign } }) => {
      const minus = sign < 0 ? '-' : '';
      return `SELECT value_id, ${minus}SUM(amount + 0e0) AS gross,
          ${minus}SUM(transactions + 0e0) AS sales
        FROM ${source.table} WHERE ${source.where} AND kind = 'sale' AND day BETWEEN ? AND ?
          AND value_id > ${ANY_VALUE} GROUP BY value_id`;
    });
    const values = spans.flatMap(({ source, range: { start_date, end_date } }) => [
      ...[...source.values, start_date, end_date],
    ]);
    const rows = await reader.select<{ readonly value_id: number }>(
      `SELECT value_id FROM (${parts.join(' UNION ALL ')}) found GROUP BY value_id
        HAVING SUM(sales) > 0 ORDER BY SUM(gross) DESC, value_id LIMIT ?`,
      [...values, limit],
    );
    return rows.map(({ value_id }) => value_id);
  }

  /** The sums of these values in a range; ANY_VALUE is all of them. */
  async sumsOf(
    reader: Reader,
    request: TrackingRequest,
    ids: readonly number[],
  ): Promise<ItemSums[]> {
    if (ids.length === 0) return [];
    const wanted = isOneOf('value_id', ids);
    const found = await Promise.all(
      spansOf(request).map(async ({ source, range }) => {
        const { sql, values } = summed('value_id AS item_id', source, range, request.attribution);
        const rows = await reader.select<SumsRow & Pick<ItemSums, 'item_id'>>(
          `${sql} AND ${wanted.sql} GROUP BY value_id, kind`,
          [...values, ...wanted.values],
        );
        return rows.map((row) => ({ item_id: row.item_id, ...partSums(row, range.sign) }));
      }),
    );
    return found.flat();
  }

  async valuesByIds(
    reader: Reader,
    vendor_id: number,
    field: TrackedField,
    ids: readonly number[],
  ): Promise<StoredValue[]> {
    return this.values(reader, vendor_id, field, 'id', ids);
  }

  async idsByValues(
    reader: Reader,
    vendor_id: number,
    field: TrackedField,
    values: readonly string[],
  ): Promise<StoredValue[]> {
    return this.values(reader, vendor_id, field, 'value', values);
  }

  /** How many values of a field have sums of their own. */
  async countValues(reader: Reader, vendor_id: number, field: TrackedField): Promise<number> {
    const [row] = await reader.select<{ readonly count: number | null }>(
      'SELECT MAX(id) AS count FROM tracking_values WHERE vendor_id = ? AND field = ?',
      [vendor_id, field],
    );
    return row?.count ?? 0;
  }

  private async values(
    reader: Reader,
    vendor_id: number,
    field: TrackedField,
    column: keyof StoredValue,
    keys: readonly (string | number)[],
  ): Promise<StoredValue[]> {
    if (keys.length === 0) return [];
    const wanted = isOneOf(column, keys);
    return reader.select<StoredValue>(
      `SELECT id, value FROM tracking_values WHERE vendor_id = ? AND field = ? AND ${wanted.sql}`,
      [vendor_id, field, ...wanted.values],
    );
  }
}

/** Whole months by month, and the days at the ends by day. */
function spansOf({ vendor_id, field, ...range }: TrackingRequest): Span[] {
  const { months, days } = monthSpans(range);
  const ofDays = days.map((each) => ({ source: sourceOf(vendor_id, field), range: each }));
  if (months === null) return ofDays;
  const whole = { source: sourceOf(vendor_id, monthSeriesOf(field)), range: signed(months) };
  return [whole, ...ofDays];
}

function signed(range: DayRange): SignedDays {
  return { ...range, sign: 1 };
}

function sourceOf(vendor_id: number, series: string): SumsSource {
  return {
    table: 'tracking_sums',
    where: 'vendor_id = ? AND series = ?',
    values: [vendor_id, series],
    item: 'value_id',
    ...{ earnings: 'earnings', commissions: '0', fees: '0' },
  };
}
