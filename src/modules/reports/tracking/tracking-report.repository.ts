import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import { type DatedMoney, OCCASION_COLUMNS } from '../../../ledger/sums/tracking-sums.js';
import type { TrackedField } from '../../../ledger/sums/kept-sums.model.js';
import { endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { DayRange } from '../report.model.js';

export interface StoredValue {
  readonly id: number;
  readonly value: string;
}

/** A sale that the kept sums by tracking field do not have yet, with its value of a field. */
export interface WaitingSale extends DatedMoney {
  readonly value: string;
}

/** Reads what the kept sums by tracking field are read with, by hand-written SQL. */
@Injectable()
export class TrackingReportRepository {
  /**
   * Returns the sales with a value of a field that are not in the kept sums yet, of those that were
   * sold or refunded in a range.
   */
  async waitingSales(
    reader: Reader,
    vendor_id: number,
    field: TrackedField,
    range: DayRange,
  ): Promise<WaitingSale[]> {
    const [ledger] = await reader.select<{ readonly tracked_sequence: number }>(
      'SELECT tracked_sequence FROM ledger_revisions WHERE vendor_id = ?',
      [vendor_id],
    );
    const bounds = [startOfDay(range.start_date), endOfDay(range.end_date)];
    return reader.select<WaitingSale>(
      `SELECT ${OCCASION_COLUMNS.join(', ')}, ${field} AS value
        FROM transactions /*! FORCE INDEX (transactions_by_sequence) */
        WHERE vendor_id = ? AND sequence > ? AND ${field} IS NOT NULL
          AND (sale_date BETWEEN ? AND ? OR refund_date BETWEEN ? AND ?)`,
      [vendor_id, ledger?.tracked_sequence ?? 0, ...bounds, ...bounds],
    );
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
