import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { LISTED_COLUMNS, type Transaction } from '../reads/transaction.model.js';
import type { RenderedTransaction } from './rendered-transaction.model.js';

type Listed = Omit<Transaction, 'revision' | 'affiliate_display_name' | 'affiliate_name'>;

/** Reads the stored JSON of transactions, in walks through a vendor's transactions by arrival. */
@Injectable()
export class RenderingRepository {
  constructor(private readonly database: Database) {}

  /** Returns the next transactions with their stored bytes. */
  stored(
    vendor_id: number,
    after: number,
    limit: number,
  ): Promise<(Listed & { readonly rendered: RenderedTransaction | null })[]> {
    return this.database.select(
      `SELECT rendered, ${LISTED_COLUMNS.join(', ')} FROM transactions
        WHERE vendor_id = ? AND arrival > ? ORDER BY arrival LIMIT ?`,
      [vendor_id, after, limit],
    );
  }
}
