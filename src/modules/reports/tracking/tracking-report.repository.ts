import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import { TRACKED_COLUMNS, type TrackedSale } from '../../../ledger/sums/tracking-sums.js';
import type { TrackedField } from '../../../ledger/sums/kept-sums.model.js';

export interface StoredValue {
  readonly id: number;
  readonly value: string;
}

/** Reads what the kept sums by tracking field are read with, by hand-written SQL. */
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
