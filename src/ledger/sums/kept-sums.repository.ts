import { Injectable } from '@nestjs/common';
import type { Session } from '../../platform/database/database.js';
import { inParts } from '../../platform/values/in-parts.js';
import {
  countChanges,
  noteRefundDays,
  signedRecords,
  type LedgerChange,
  type LockedLedgers,
} from '../revisions/ledger-change.model.js';
import { LedgerLocksRepository } from '../revisions/ledger-locks.repository.js';
import { AFFILIATE_SALES } from './affiliate-sales.js';
import { REFUND_COUNTS, SALE_COUNTS } from './ledger-counts.js';
import { REFUND_COHORTS } from './refund-cohorts.js';
import { AFFILIATE_DAY_SUMS, VENDOR_SUMS } from './report-sums.js';
import { type EndOfStep, TrackingSumsRepository } from './tracking-sums.repository.js';
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

/** Collects how changes of ledgers change the kept sums, except those by tracking field. */
export class KeptSumChanges {
  private readonly counts = COUNTS.map((kept) => kept.collect());
  private readonly sums = SUMS.map((kept) => kept.collect());
  /** The longest time between a sale and its refund, in days, by vendor. */
  readonly longestRefundDays = new Map<number, number>();

  /** The number of changes that were added. */
  size = 0;

  /** Adds changes, and lets other work run meanwhile. */
  add(changes: readonly LedgerChange[]): Promise<void> {
    this.size += changes.length;
    return inParts(changes, (part) => {
      const records = signedRecords(part);
      for (const collected of [...this.counts, ...this.sums]) collected.add(records);
      noteRefundDays(part, this.longestRefundDays);
    });
  }

  async saveCounts(session: Session): Promise<void> {
    for (const collected of this.counts) await collected.save(session);
  }

  async saveSums(session: Session): Promise<void> {
    for (const collected of this.sums) await collected.save(session);
  }
}

/** Saves the changes of everything that is derived from a ledger, in one order for all writers. */
@Injectable()
export class KeptSumsRepository {
  constructor(
    private readonly ledgers: LedgerLocksRepository,
    private readonly tracking: TrackingSumsRepository,
  ) {}

  /**
   * Saves the changes of locked ledgers, and raises the revisions.
   * @param sums the changes of the kept sums
   * @param sellers affiliates whose own revisions rise, too
   * @throws OutdatedReadError if a ledger has changed since it was found; the session is then
   *   repeated
   */
  async save(
    session: Session,
    ledgers: LockedLedgers,
    changes: readonly LedgerChange[],
    sums: KeptSumChanges,
    sellers: readonly number[] = [],
  ): Promise<void> {
    await this.saveCounts(session, sums);
    await this.ledgers.raise(session, ledgers, countChanges(changes));
    await this.ledgers.raiseRevisionsOfUsers(session, sellers);
    await sums.saveSums(session);
    await this.tracking.apply(session, ledgers, changes);
  }

  /**
   * Saves the kept sums of a step.
   * @param ledgers the ledgers as they are after the step
   */
  async saveStep(
    session: Session,
    ledgers: LockedLedgers,
    sums: KeptSumChanges,
    end: EndOfStep,
  ): Promise<void> {
    await this.saveCollected(session, sums);
    await this.tracking.applyStep(session, ledgers, end);
  }

  /** Saves kept sums except those by tracking field, and raises no revision. */
  async saveCollected(session: Session, sums: KeptSumChanges): Promise<void> {
    await this.saveCounts(session, sums);
    await sums.saveSums(session);
  }

  private async saveCounts(session: Session, sums: KeptSumChanges): Promise<void> {
    await sums.saveCounts(session);
    await this.ledgers.raiseLongestRefundDays(session, sums.longestRefundDays);
  }
}
