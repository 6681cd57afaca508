import { Injectable } from '@nestjs/common';
import type { Session } from '../../platform/database/database.js';
import type { SumChanges } from './kept-sum.js';
import {
  signedRecords,
  type LedgerChange,
  type LockedLedgers,
} from '../revisions/ledger-change.model.js';
import { LedgerLocksRepository } from '../revisions/ledger-locks.repository.js';
import { AFFILIATE_SALES } from './affiliate-sales.js';
import { REFUND_COUNTS, SALE_COUNTS } from './ledger-counts.js';
import { REFUND_COHORTS } from './refund-cohorts.js';
import { AFFILIATE_DAY_SUMS, VENDOR_SUMS } from './report-sums.js';
import { TrackingSumsRepository } from './tracking-sums.repository.js';
import { UNPAID_COMMISSIONS } from './unpaid-commissions.js';

/** The counts that the list reads, which are saved before the revision rises. */
const COUNTS = [SALE_COUNTS, REFUND_COUNTS] as const;
/** The months of affiliates in `VENDOR_SUMS` are computed again from `AFFILIATE_DAY_SUMS`. */
const SUMS = [
  AFFILIATE_SALES,
  AFFILIATE_DAY_SUMS,
  VENDOR_SUMS,
  REFUND_COHORTS,
  UNPAID_COMMISSIONS,
] as const;
/**
 * All kept sums of transactions except those by tracking field, in the order in which they are
 * written, checked and filled.
 */
export const KEPT_SUMS = [...COUNTS, ...SUMS] as const;

/** Changes of the kept sums. */
interface KeptSumChanges {
  readonly counts: readonly SumChanges<string>[];
  readonly sums: readonly SumChanges<string>[];
}

/** Saves the changes of everything that is derived from a ledger, in one order for all writers. */
@Injectable()
export class KeptSumsRepository {
  constructor(
    private readonly ledgers: LedgerLocksRepository,
    private readonly tracking: TrackingSumsRepository,
  ) {}

  /** Computes how the changes of ledgers change the kept sums. */
  changesBy(changes: readonly LedgerChange[]): KeptSumChanges {
    const records = signedRecords(changes);
    return {
      counts: COUNTS.map((kept) => kept.changesBy(records)),
      sums: SUMS.map((kept) => kept.changesBy(records)),
    };
  }

  /**
   * Saves the changes of locked ledgers, and raises the revisions.
   * @param sellers affiliates whose own revisions rise, too
   * @throws OutdatedReadError if a ledger has changed since it was found; the session is then
   *   repeated
   */
  async save(
    session: Session,
    ledgers: LockedLedgers,
    changes: readonly LedgerChange[],
    { counts, sums }: KeptSumChanges = this.changesBy(changes),
    sellers: readonly number[] = [],
  ): Promise<void> {
    for (const changed of counts) await changed.save(session);
    await this.ledgers.raise(session, ledgers, changes);
    await this.ledgers.raiseRevisionsOfUsers(session, sellers);
    for (const changed of sums) await changed.save(session);
    await this.tracking.apply(session, ledgers, changes);
  }
}
