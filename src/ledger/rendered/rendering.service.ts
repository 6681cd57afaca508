import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Difference } from '../sums/kept-sum.js';
import { vendorsWithLedger } from '../reads/transaction-row.model.js';
import { isCurrent, renderTransaction } from './rendered-transaction.model.js';
import { RenderingRepository } from './rendering.repository.js';

/** Number of transactions that are read at once. */
const BATCH = 200;

/** Verifies the stored JSON of transactions. */
@Injectable()
export class RenderingService {
  constructor(
    private readonly database: Database,
    private readonly repository: RenderingRepository,
  ) {}

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
      const rows = await this.repository.stored(vendor_id, after, BATCH);
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
