import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { LedgerLocksRepository } from '../revisions/ledger-locks.repository.js';
import type { Difference } from '../../../database/kept-sum.js';
import { isCurrent, renderTransaction } from './rendered-transaction.model.js';
import { RenderingRepository } from './rendering.repository.js';

/** Number of transactions in a batch. A batch holds its vendor's lock for some milliseconds. */
const BATCH = 200;

export interface RenderingProgress {
  readonly checked: number;
  readonly rendered: number;
  /** Number of transactions of all vendors when the rendering began. */
  readonly total: number;
}

/** Renders transactions that an older version stored, and verifies the stored bytes. */
@Injectable()
export class RenderingService {
  constructor(
    private readonly database: Database,
    private readonly repository: RenderingRepository,
    private readonly locks: LedgerLocksRepository,
  ) {}

  /**
   * Renders each transaction without current bytes, in batches, while others read and write.
   * Batches that were committed before an interruption are not rendered again.
   */
  async renderOutdated(
    onProgress: (progress: RenderingProgress) => void,
  ): Promise<RenderingProgress> {
    const total = await this.repository.count();
    let progress = { checked: 0, rendered: 0, total };
    for (const vendor_id of await this.repository.vendorIds()) {
      for await (const { checked, rendered } of this.batchesOf(vendor_id)) {
        progress = {
          ...progress,
          checked: progress.checked + checked,
          rendered: progress.rendered + rendered,
        };
        onProgress(progress);
      }
    }
    return progress;
  }

  /**
   * Returns a difference for each vendor whose stored bytes differ from the columns beside them.
   * Outdated bytes are not compared.
   */
  async differences(): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const vendor_id of await this.repository.vendorIds()) {
      const kept = await this.countWrong(vendor_id);
      const figure = `transactions with wrong rendered bytes of vendor ${vendor_id}`;
      if (kept > 0) found.push({ figure, kept, actual: 0 });
    }
    return found;
  }

  private async *batchesOf(
    vendor_id: number,
  ): AsyncGenerator<{ checked: number; rendered: number }> {
    for (let after = 0; ;) {
      const rows = await this.repository.next(vendor_id, after, BATCH);
      const to = rows.at(-1)?.arrival;
      if (to === undefined) return;
      const range = { vendor_id, after, to };
      const isOutdated = rows.some(({ is_outdated }) => is_outdated === 1);
      const rendered = isOutdated
        ? await this.database.write(async (session) => {
            await this.locks.lockLedgers(session, [vendor_id]);
            return this.repository.render(session, range);
          })
        : 0;
      yield { checked: rows.length, rendered };
      after = to;
    }
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
