import { Injectable } from '@nestjs/common';
import type { Session } from '../../platform/database/database.js';
import type { RemovedRecord } from '../changes/change.model.js';
import { ChangesService } from '../changes/changes.service.js';
import type { LedgerChange } from '../revisions/ledger-change.model.js';
import { LedgerLocksRepository } from '../revisions/ledger-locks.repository.js';
import { KeptSumsRepository } from '../sums/kept-sums.repository.js';
import { salesOfItems } from '../sums/report-sums.js';
import type { ProductKey, RemovedSales } from './transaction-writes.model.js';
import { TransactionWritesRepository } from './transaction-writes.repository.js';

/** Maximum number of transactions that a batch removes. */
const SALES = 1_000;

/** Removes transactions and everything that is derived from them. */
@Injectable()
export class SalesRemovalService {
  constructor(
    private readonly writes: TransactionWritesRepository,
    private readonly ledgers: LedgerLocksRepository,
    private readonly sums: KeptSumsRepository,
    private readonly changes: ChangesService,
  ) {}

  countOf(product: ProductKey): Promise<number> {
    return this.writes.countOfProduct(product);
  }

  /**
   * Removes the next transactions of a product. It locks the vendor's ledger until the session
   * ends.
   * @param after the last arrival of the previous batch
   */
  async removeNext(session: Session, product: ProductKey, after: number): Promise<RemovedSales> {
    const { vendor_id } = product;
    await this.ledgers.lockUsers(session, [vendor_id]);
    const ledgers = await this.ledgers.lockLedgers(session, [vendor_id]);
    const found = await this.writes.ofProduct(session, product, after, SALES);
    if (found.length === 0) return { count: 0, last: null };
    const ids = found.map(({ transaction_id }) => transaction_id);
    const stored = await this.writes.recordsByIds(session, ids);
    const removed = stored.map(({ place, content: before, sequence }): LedgerChange => {
      return { before, after: null, vendor_id, place, sequence_before: sequence };
    });
    await this.writes.remove(session, removed);
    await this.sums.save(session, ledgers, removed);
    await this.changes.remove(session, [
      ...ids.map((record_key) => ({ vendor_id, kind: 'transaction', record_key }) as const),
      ...(await this.affiliatesLeft(session, vendor_id, removed)),
    ]);
    return { count: removed.length, last: found.at(-1)?.arrival ?? null };
  }

  /** Returns the affiliates of removed sales who have no other sale of the vendor. */
  private async affiliatesLeft(
    session: Session,
    vendor_id: number,
    removed: readonly LedgerChange[],
  ): Promise<RemovedRecord[]> {
    const affiliates = new Set(removed.flatMap(({ before }) => before?.affiliate_id ?? []));
    const others = await salesOfItems(session, vendor_id, 'affiliate_month', [...affiliates]);
    for (const { item_id } of others) affiliates.delete(item_id);
    return Array.from(affiliates, (id) => {
      return { vendor_id, kind: 'affiliate', record_key: String(id) } as const;
    });
  }
}
