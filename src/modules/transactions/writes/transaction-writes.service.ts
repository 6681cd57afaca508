import { Injectable } from '@nestjs/common';
import type { Session } from '../../../database/database.js';
import { AffiliateSalesRepository } from '../rollups/affiliate-sales/affiliate-sales.repository.js';
import { LedgerCountsWritesRepository } from '../rollups/ledger-counts-writes.repository.js';
import { ReportSumsWritesRepository } from '../rollups/report-sums-writes.repository.js';
import type { PlacedRecord, PlacedVersion, TransactionChange } from './transaction-writes.model.js';
import { TransactionWritesRepository } from './transaction-writes.repository.js';

/** Writes transactions and the figures derived from them. */
@Injectable()
export class TransactionWritesService {
  constructor(
    private readonly writes: TransactionWritesRepository,
    private readonly counts: LedgerCountsWritesRepository,
    private readonly sales: AffiliateSalesRepository,
    private readonly reportSums: ReportSumsWritesRepository,
  ) {}

  /** Locks these vendors' ledgers and all these users until the session ends. */
  async lock(
    session: Session,
    vendor_ids: readonly number[],
    affiliate_ids: readonly number[],
  ): Promise<void> {
    await this.counts.lockUsers(session, [...vendor_ids, ...affiliate_ids]);
    await this.counts.lockLedgers(session, vendor_ids);
  }

  /** Transactions by id, of all vendors; unknown ids are skipped. */
  stored(session: Session, transaction_ids: readonly string[]): Promise<PlacedRecord[]> {
    return this.writes.recordsByIds(session, transaction_ids);
  }

  /** Saves transactions of locked ledgers and updates counts, sums and revisions. */
  async save(session: Session, changes: readonly TransactionChange[]): Promise<void> {
    const created = changes.filter(({ place }) => place === null).length;
    let arrival = created > 0 ? await this.counts.takeArrivals(session, created) : 0;
    if (created === 0) await this.counts.serializeWriters(session);
    const placed = changes.map((change) => ({
      ...change,
      place: change.place ?? { vendor_id: change.vendor_id, arrival: arrival++ },
    }));
    const saved = this.writes.save(session, placed);
    // Computed while the database works.
    const sums = this.reportSums.changesBy(placed);
    await saved;
    await this.counts.apply(session, placed);
    await this.sales.apply(session, placed);
    await this.reportSums.apply(session, sums);
  }

  /** Sets the versions of stored transactions: no answer shows them, so no revision rises. */
  raiseVersions(session: Session, versions: readonly PlacedVersion[]): Promise<void> {
    return this.writes.raiseVersions(session, versions);
  }

  /** Raises the revisions of the ledgers that show these users. */
  raiseRevisionsThatShow(session: Session, user_ids: readonly number[]): Promise<void> {
    return this.counts.raiseRevisionsThatShow(session, user_ids);
  }
}
