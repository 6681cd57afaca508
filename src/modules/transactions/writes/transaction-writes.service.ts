import { Injectable } from '@nestjs/common';
import type { Session } from '../../../database/database.js';
import { AffiliateSalesRepository } from '../rollups/affiliate-sales/affiliate-sales.repository.js';
import { LedgerCountsWritesRepository } from '../rollups/ledger-counts-writes.repository.js';
import { ReportSumsWritesRepository } from '../rollups/report-sums-writes.repository.js';
import {
  foundLedger,
  type LockedLedgers,
  type PlacedChange,
  type PlacedRecord,
  type PlacedVersion,
  type TransactionChange,
} from './transaction-writes.model.js';
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

  /**
   * Locks these vendors' ledgers and all these users until the session ends.
   * @returns the ledgers as they were found, for `save`
   */
  async lock(
    session: Session,
    vendor_ids: readonly number[],
    affiliate_ids: readonly number[],
  ): Promise<LockedLedgers> {
    await this.counts.lockUsers(session, [...vendor_ids, ...affiliate_ids]);
    return this.counts.lockLedgers(session, vendor_ids);
  }

  /** Transactions by id, of all vendors; unknown ids are skipped. */
  stored(session: Session, transaction_ids: readonly string[]): Promise<PlacedRecord[]> {
    return this.writes.recordsByIds(session, transaction_ids);
  }

  /**
   * Saves transactions of locked ledgers and updates counts, sums and revisions.
   * @throws OutdatedReadError if a ledger is no longer as it was found; the session is then repeated
   */
  async save(
    session: Session,
    ledgers: LockedLedgers,
    changes: readonly TransactionChange[],
  ): Promise<void> {
    const { placed, arrived } = placedIn(ledgers, changes);
    const sellers = await this.sales.withNewProduct(session, placed);
    await this.counts.addArrivals(session, arrived);
    const saved = this.writes.save(session, placed);
    // Computed while the database works.
    const sums = this.reportSums.changesBy(placed);
    await saved;
    await this.counts.apply(session, ledgers, placed);
    await this.counts.raiseRevisionsOfUsers(session, sellers);
    await this.sales.apply(session, placed);
    await this.reportSums.apply(session, sums);
  }

  /** Sets the versions of stored transactions: no answer shows them, so no revision rises. */
  raiseVersions(session: Session, versions: readonly PlacedVersion[]): Promise<void> {
    return this.writes.raiseVersions(session, versions);
  }

  /** Those of these affiliates who have a sale of another vendor than this one. */
  affiliatesOfOthers(
    session: Session,
    affiliate_ids: readonly number[],
    vendor_id: number,
  ): Promise<number[]> {
    return this.sales.affiliatesOfOthers(session, affiliate_ids, vendor_id);
  }

  /** Raises the revisions of the ledgers that show these users. */
  raiseRevisionsThatShow(session: Session, user_ids: readonly number[]): Promise<void> {
    return this.counts.raiseRevisionsThatShow(session, user_ids);
  }
}

/** Gives new transactions the next arrivals of their vendors, and counts those. */
function placedIn(
  ledgers: LockedLedgers,
  changes: readonly TransactionChange[],
): { readonly placed: PlacedChange[]; readonly arrived: ReadonlyMap<number, number> } {
  const arrived = new Map<number, number>();
  const placed = changes.map((change) => {
    const { vendor_id, place } = change;
    if (place !== null) return { ...change, place };
    const count = (arrived.get(vendor_id) ?? 0) + 1;
    arrived.set(vendor_id, count);
    const arrival = foundLedger(ledgers, vendor_id).last_arrival + count;
    return { ...change, place: { vendor_id, arrival } };
  });
  return { placed, arrived };
}
