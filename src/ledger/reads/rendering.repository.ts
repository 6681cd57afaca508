import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Difference } from '../sums/kept-sum.js';
import {
  isCurrent,
  type RenderedTransaction,
  renderTransaction,
} from './rendered-transaction.model.js';
import { vendorsWithLedger } from './transaction-row.model.js';
import { LISTED_COLUMNS, type Transaction } from './transaction.model.js';

interface StoredRow extends Omit<
  Transaction,
  'revision' | 'affiliate_display_name' | 'affiliate_name'
> {
  readonly rendered: RenderedTransaction | null;
}

/** Number of transactions that are read at once. */
const BATCH = 200;

/**
 * Verifies the stored JSON of transactions, in walks through a vendor's transactions by arrival.
 */
@Injectable()
export class RenderingRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns a difference for each vendor whose stored bytes differ from the columns beside them.
   * Bytes of another form are not compared.
   */
  async differences(): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const vendor_id of await vendorsWithLedger(this.database)) {
      const kept = await this.countWrong(vendor_id);
      const figure = `transactions with wrong rendered bytes of vendor ${vendor_id}`;
      if (kept > 0) found.push({ figure, kept, actual: 0 });
    }
    return found;
  }

  private async countWrong(vendor_id: number): Promise<number> {
    let wrong = 0;
    for (let after = 0; ;) {
      const rows = await this.database.select<StoredRow>(
        `SELECT rendered, ${LISTED_COLUMNS.join(', ')} FROM transactions
          WHERE vendor_id = ? AND arrival > ? ORDER BY arrival LIMIT ?`,
        [vendor_id, after, BATCH],
      );
      for (const { rendered, ...transaction } of rows) {
        if (!isCurrent(rendered)) continue;
        if (Buffer.compare(rendered, renderTransaction(transaction)) !== 0) wrong += 1;
      }
      const last = rows.at(-1);
      if (last === undefined) return wrong;
      after = last.arrival;
    }
  }
}
