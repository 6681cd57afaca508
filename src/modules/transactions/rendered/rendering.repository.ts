import { Injectable } from '@nestjs/common';
import { upsertRows } from '../../../database/bulk.js';
import { Database, type Session } from '../../../database/database.js';
import { PLACE_COLUMNS, STORED_COLUMNS } from '../transaction.entity.js';
import { LISTED_COLUMNS, type StoredTransaction, type Transaction } from '../transaction.model.js';
import {
  isOutdatedSql,
  renderForStorage,
  type RenderedTransaction,
} from './rendered-transaction.model.js';

const AFTER = 'WHERE vendor_id = ? AND arrival > ? ORDER BY arrival LIMIT ?';

/** Selects the arrivals of a vendor from `after` (excluded) to `to` (included). */
export interface ArrivalRange {
  readonly vendor_id: number;
  readonly after: number;
  readonly to: number;
}

type Listed = Omit<Transaction, 'revision' | 'affiliate_display_name' | 'affiliate_name'>;

/** Renders what is stored, in walks through a vendor's transactions by arrival. */
@Injectable()
export class RenderingRepository {
  constructor(private readonly database: Database) {}

  async vendorIds(): Promise<number[]> {
    const sql = 'SELECT vendor_id FROM ledger_revisions ORDER BY vendor_id';
    const rows = await this.database.select<Pick<StoredTransaction, 'vendor_id'>>(sql, []);
    return rows.map(({ vendor_id }) => vendor_id);
  }

  /** Counts the transactions of all vendors, from the kept sums. */
  async count(): Promise<number> {
    const [row] = await this.database.select<{ readonly count: number }>(
      'SELECT CAST(COALESCE(SUM(sales), 0) AS SIGNED) AS count FROM sale_counts',
      [],
    );
    return row?.count ?? 0;
  }

  /** Returns the next transactions, and which of them lack current bytes. */
  next(
    vendor_id: number,
    after: number,
    limit: number,
  ): Promise<{ readonly arrival: number; readonly is_outdated: number }[]> {
    return this.database.select(
      `SELECT arrival, CASE WHEN ${isOutdatedSql('rendered')} THEN 1 ELSE 0 END AS is_outdated
        FROM transactions ${AFTER}`,
      [vendor_id, after, limit],
    );
  }

  /** Returns the next transactions with their stored bytes. */
  stored(
    vendor_id: number,
    after: number,
    limit: number,
  ): Promise<(Listed & { readonly rendered: RenderedTransaction | null })[]> {
    return this.database.select(
      `SELECT rendered, ${LISTED_COLUMNS.join(', ')} FROM transactions ${AFTER}`,
      [vendor_id, after, limit],
    );
  }

  /**
   * Renders the transactions whose bytes are outdated.
   * @returns the number of rendered transactions
   */
  async render(session: Session, { vendor_id, after, to }: ArrivalRange): Promise<number> {
    const rows = await session.select<Pick<StoredTransaction, (typeof STORED_COLUMNS)[number]>>(
      `SELECT ${STORED_COLUMNS.join(', ')} FROM transactions
        WHERE vendor_id = ? AND arrival > ? AND arrival <= ? AND ${isOutdatedSql('rendered')}`,
      [vendor_id, after, to],
    );
    // An upsert whose keys all exist updates many rows in one statement.
    await upsertRows(
      session,
      'transactions',
      ['rendered', ...STORED_COLUMNS],
      rows.map((row) => [renderForStorage(row), ...STORED_COLUMNS.map((column) => row[column])]),
      PLACE_COLUMNS,
      [{ column: 'rendered', by: 'replace' }],
    );
    return rows.length;
  }
}
