import { Injectable } from '@nestjs/common';
import { COUNTED_COLUMNS, type CountedRow } from '../../../ledger/sums/list-figures.js';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { Reader } from '../../../platform/database/database.js';

/** A transaction with the columns from which figures count it. */
export type CountableRow = CountedRow & { readonly arrival: number };

/**
 * Reads what lists show of transactions beside their columns, for the rows of a page at a time, by
 * hand-written SQL.
 */
@Injectable()
export class CountedRowsRepository {
  /** Returns what figures count of these transactions, in no particular order. */
  amountsOf(
    reader: Reader,
    vendor_id: number,
    arrivals: readonly number[],
  ): Promise<CountableRow[]> {
    const wanted = isOneOf('arrival', arrivals);
    return reader.select<CountableRow>(
      `SELECT arrival, ${COUNTED_COLUMNS.join(', ')} FROM transactions
        WHERE vendor_id = ? AND ${wanted.sql}`,
      [vendor_id, ...wanted.values],
    );
  }

  /**
   * Returns the arrivals of those transactions that are later payments of a subscription. The first
   * payment is the first entry of the index.
   */
  async laterPayments(
    reader: Reader,
    vendor_id: number,
    arrivals: readonly number[],
  ): Promise<number[]> {
    const wanted = isOneOf('t.arrival', arrivals);
    const rows = await reader.select<{ readonly arrival: number; readonly first: number }>(
      `SELECT t.arrival, (SELECT f.arrival
          FROM transactions f /*! FORCE INDEX (transactions_by_agreement) */
          WHERE f.vendor_id = ? AND f.pre_key = t.pre_key
          ORDER BY f.sale_date, f.arrival LIMIT 1) AS first
        FROM transactions t WHERE t.vendor_id = ? AND ${wanted.sql} AND +t.pre_key IS NOT NULL`,
      [vendor_id, vendor_id, ...wanted.values],
    );
    return rows.filter(({ arrival, first }) => arrival !== first).map(({ arrival }) => arrival);
  }
}
