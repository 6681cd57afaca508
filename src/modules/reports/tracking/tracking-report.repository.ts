import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../database/database.js';
import {
  TRACKED_COLUMNS,
  type TrackedSale,
} from '../../transactions/rollups/tracking/tracked-sale.model.js';
import {
  monthSeriesOf,
  yearSeriesOf,
  type TrackedField,
} from '../../transactions/rollups/tracking/tracking.model.js';
import type { SumKind } from '../../transactions/rollups/stored-sums.model.js';
import { kindsOf, PART_OF, SUM_PARTS, type ItemSums } from '../sums/report-sums.model.js';
import type { SignedDays } from '../sums/sums-source.js';
import { signed, type SumsRow } from '../sums/summed-parts.js';
import { yearSpans } from '../sums/year-spans.js';
import type { TrackingRequest } from './tracking-report.model.js';

export interface StoredValue {
  readonly id: number;
  readonly value: string;
}

type ValueRow = Pick<SumsRow, 'kind' | 'transactions' | 'amount' | 'earnings'> &
  Pick<ItemSums, 'item_id'>;

/** A part of a range in one series. */
interface Span {
  readonly series: string;
  readonly range: SignedDays;
}

/** The reads of the sums by tracking field. By hand: they add up the sums of thousands of values. */
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

  /**
   * The sums of every value in a range, by its number; ANY_VALUE is all of them. Each kind by itself: grouped
   * by kind as well, they take MariaDB nearly twice as long.
   */
  async sums(reader: Reader, request: TrackingRequest): Promise<ItemSums[]> {
    const kinds = kindsOf(SUM_PARTS, request.attribution);
    const found: ItemSums[] = [];
    for (const { series, range } of spansOf(request)) {
      const rows = await reader.select<ValueRow>(
        kinds.map((kind) => sumsOfKind(kind)).join(' UNION ALL '),
        kinds.flatMap(() => [request.vendor_id, series, range.start_date, range.end_date]),
      );
      found.push(...rows.map((row) => sumsOf(row, range.sign)));
    }
    return found;
  }

  /** The values that have sums of their own, with their numbers; TrackingBounds says how many at most. */
  values(reader: Reader, vendor_id: number, field: TrackedField): Promise<StoredValue[]> {
    return reader.select<StoredValue>(
      'SELECT id, value FROM tracking_values WHERE vendor_id = ? AND field = ?',
      [vendor_id, field],
    );
  }
}

function sumsOfKind(kind: SumKind): string {
  return `SELECT value_id AS item_id, '${kind}' AS kind,
      CAST(SUM(transactions) AS SIGNED) AS transactions,
      CAST(SUM(amount) AS CHAR) AS amount, CAST(SUM(earnings) AS CHAR) AS earnings
    FROM tracking_sums WHERE vendor_id = ? AND series = ? AND kind = '${kind}'
      AND day BETWEEN ? AND ? GROUP BY value_id`;
}

function sumsOf({ item_id, kind, transactions, amount, earnings }: ValueRow, sign: 1 | -1) {
  return {
    ...{ item_id, part: PART_OF[kind], transactions: sign * transactions },
    amount: signed(amount, sign),
    earnings: signed(earnings, sign),
    ...{ commissions: 0n, fees: 0n },
  };
}

/** Whole years by year, and the months and days at the ends by month and day. */
function spansOf({ field, ...request }: TrackingRequest): Span[] {
  const { years, months, days } = yearSpans(request);
  return [
    ...(years === null
      ? []
      : [{ series: yearSeriesOf(field), range: { ...years, sign: 1 } as const }]),
    ...months.map((range) => ({ series: monthSeriesOf(field), range })),
    ...days.map((range) => ({ series: field, range })),
  ];
}
