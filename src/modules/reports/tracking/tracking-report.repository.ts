import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import {
  monthSeriesOf,
  TRACKED_COLUMNS,
  TRACKING_SUMS,
  yearSeriesOf,
  type TrackedSale,
} from '../../../ledger/sums/tracking-sums.js';
import type { SumKind, TrackedField } from '../../../ledger/sums/kept-sums.model.js';
import { kindsOf, PART_OF, type ItemSums } from '../sums/report-sums.model.js';
import { yearSpans, type SignedDays } from '../sums/spans.js';
import type { SumsRow } from '../sums/summed-parts.js';
import { TRACKED_PARTS, type TrackingRequest } from './tracking-report.model.js';

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

/**
 * Reads the kept sums by tracking field with hand-written SQL, because a report adds up the sums of
 * thousands of values.
 */
@Injectable()
export class TrackingReportRepository {
  /** Returns the sales that are not in the kept sums yet. */
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
   * Returns the sums of every value in a range, by the number of the value; ANY_VALUE stands for
   * all values together. Each part and kind has its own SELECT, because MariaDB is much slower if
   * it groups by kind as well.
   */
  async sums(reader: Reader, request: TrackingRequest): Promise<ItemSums[]> {
    const kinds = kindsOf(TRACKED_PARTS, request.attribution);
    const parts = spansOf(request).flatMap((span) => kinds.map((kind) => ({ ...span, kind })));
    const rows = await reader.select<ValueRow>(
      `SELECT item_id, kind, CAST(SUM(transactions) AS SIGNED) AS transactions,
          CAST(SUM(amount) AS CHAR) AS amount, CAST(SUM(earnings) AS CHAR) AS earnings
        FROM (${parts.map(sumsOfPart).join(' UNION ALL ')}) found GROUP BY item_id, kind`,
      parts.flatMap(({ series, range: { start_date, end_date } }) => [
        request.vendor_id,
        series,
        start_date,
        end_date,
      ]),
    );
    return rows.map(sumsOf);
  }

  /**
   * Returns the values that have kept sums of their own, with their numbers; TrackingBounds limits
   * how many there are.
   */
  values(reader: Reader, vendor_id: number, field: TrackedField): Promise<StoredValue[]> {
    return reader.select<StoredValue>(
      'SELECT id, value FROM tracking_values WHERE vendor_id = ? AND field = ?',
      [vendor_id, field],
    );
  }
}

function sumsOfPart({ kind, range }: Span & { readonly kind: SumKind }): string {
  const sum = (column: string) => `${range.sign < 0 ? '-' : ''}SUM(${column}) AS ${column}`;
  return `SELECT value_id AS item_id, '${kind}' AS kind,
      ${TRACKING_SUMS.sums.map(sum).join(', ')}
    FROM tracking_sums WHERE vendor_id = ? AND series = ? AND kind = '${kind}'
      AND day BETWEEN ? AND ? GROUP BY value_id`;
}

function sumsOf({ item_id, kind, transactions, amount, earnings }: ValueRow): ItemSums {
  return {
    item_id,
    part: PART_OF[kind],
    transactions,
    amount: BigInt(amount),
    earnings: BigInt(earnings),
    commissions: 0n,
    fees: 0n,
  };
}

/**
 * Splits a range into series: whole years by year, and the months and days at the ends by month and
 * day.
 */
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
