import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { Database, type Session } from '../../../database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import { TransactionWritesService } from '../../transactions/writes/transaction-writes.service.js';
import { UpstreamsService } from '../../upstreams/registry/upstreams.service.js';
import { WebhooksService } from '../../webhooks/endpoints/webhooks.service.js';
import type { RetainedLedger, RetentionRun } from '../retention.model.js';
import { RetentionRepository } from '../retention.repository.js';
import { subjectOf } from '../retention-rules.service.js';

/**
 * Duration of a lease. It is renewed with each batch and much longer than one takes, so the owner
 * of an expired lease has ended.
 */
const CLAIM_MS = 60_000;
const BEFORE_ALL_SALES = { emptied_to: '1000-01-01 00:00:00', emptied_arrival: 0 } as const;

/** Another process has the lease of this ledger. */
export class TurnLostError extends Error {}

/**
 * Manages the lease that lets one process at a time remove data from a ledger. Progress is stored
 * with each batch.
 */
@Injectable()
export class RetentionTurnsService {
  constructor(
    private readonly database: Database,
    private readonly repository: RetentionRepository,
    private readonly writes: TransactionWritesService,
    private readonly webhooks: WebhooksService,
    private readonly upstreams: UpstreamsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Acquires the lease and raises the first day for which personal data is kept. From then on,
   * older sales lose their personal data when they arrive, so only stored sales remain to be
   * handled.
   * @returns null if another process has the lease
   */
  take(vendor_id: number, day: string): Promise<RetainedLedger | null> {
    const claim = randomUUID();
    return this.database.writeIdempotent(async (session) => {
      const found = await this.repository.lockedLedger(session, vendor_id);
      if (found !== null && !isFree(found, claim)) return null;
      // An import that has the lock does not know the new day yet. Taking the lock waits for its
      // end.
      await this.writes.lock(session, [vendor_id], []);
      const claimed = { claim, claim_ends: claimEnd() };
      if (found === null) {
        const none = { transactions: 0, recurring_payments: 0, done_on: null };
        const added = { vendor_id, retained_from: day, ...BEFORE_ALL_SALES, ...none, ...claimed };
        await this.repository.addLedger(session, added);
        return added;
      }
      const retained_from = found.retained_from > day ? found.retained_from : day;
      await this.repository.changeLedger(session, vendor_id, { retained_from, ...claimed });
      return { ...found, retained_from, ...claimed };
    });
  }

  /**
   * Writes a batch and its progress, and renews the lease.
   * @param work returns the changes of the ledger's row
   * @throws TurnLostError if the lease is lost; nothing is written
   */
  write(
    turn: RetainedLedger,
    work: (session: Session, ledger: RetainedLedger) => Promise<Partial<RetainedLedger>>,
  ): Promise<RetainedLedger> {
    return this.database.writeErasing(async (session) => {
      const found = await this.lockedTurn(session, turn);
      const changes = { ...(await work(session, found)), claim_ends: claimEnd() };
      await this.repository.changeLedger(session, turn.vendor_id, changes);
      return { ...found, ...changes };
    });
  }

  /** Releases the lease, so that this or another process can continue. */
  async release({ vendor_id, claim }: RetainedLedger): Promise<void> {
    await this.database.writeIdempotent(async (session) => {
      const found = await this.repository.lockedLedger(session, vendor_id);
      if (found?.claim !== claim) return;
      await this.repository.changeLedger(session, vendor_id, { claim: null, claim_ends: null });
    });
  }

  /**
   * Records a completed run and releases the lease. It also deletes responses of webhook receivers
   * and problem texts of upstreams, because these may quote the removed data.
   */
  finish(turn: RetainedLedger, today: string): Promise<RetentionRun> {
    return this.database.writeErasing(async (session) => {
      const found = await this.lockedTurn(session, turn);
      const { vendor_id, retained_from, transactions, recurring_payments } = found;
      await this.repository.changeLedger(session, vendor_id, {
        transactions: 0,
        recurring_payments: 0,
        done_on: today,
        claim: null,
        claim_ends: null,
      });
      const emptied = { transactions, recurring_payments };
      if (transactions + recurring_payments > 0) {
        await this.webhooks.forgetAnswers(session, vendor_id);
        await this.upstreams.forgetProblemTexts(session, vendor_id);
        await this.audit.record(session, {
          user_id: OPERATOR,
          application_id: NO_APPLICATION,
          action: 'retention.run',
          subject: subjectOf(vendor_id),
          before: null,
          after: { retained_from, ...emptied },
        });
      }
      return { vendor_id, retained_from, ...emptied };
    });
  }

  private async lockedTurn(
    session: Session,
    { vendor_id, claim }: RetainedLedger,
  ): Promise<RetainedLedger> {
    const found = await this.repository.lockedLedger(session, vendor_id);
    if (found?.claim !== claim) {
      throw new TurnLostError(`Another process empties the ledger of vendor ${vendor_id}.`);
    }
    return found;
  }
}

function isFree({ claim, claim_ends }: RetainedLedger, own: string): boolean {
  if (claim === null || claim === own) return true;
  return claim_ends === null || claim_ends <= dateTimeOf(new Date());
}

function claimEnd(): string {
  return dateTimeOf(new Date(Date.now() + CLAIM_MS));
}
