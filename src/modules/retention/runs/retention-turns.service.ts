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

/** Renewed with each batch, and much longer than one takes: the owner of an expired claim is gone. */
const CLAIM_MS = 60_000;
const BEFORE_ALL_SALES = { emptied_to: '1000-01-01 00:00:00', emptied_arrival: 0 } as const;

/** Another process empties this ledger. */
export class TurnLostError extends Error {}

/** Decides who empties a ledger: one process at a time. What it has done is kept with each batch. */
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
   * Takes the turn, and raises the day from which personal data is kept. From then on older sales that arrive
   * are emptied, so those that are stored now are all that is left to do.
   * @returns null if another process has the turn
   */
  take(vendor_id: number, day: string): Promise<RetainedLedger | null> {
    const claim = randomUUID();
    return this.database.writeIdempotent(async (session) => {
      const found = await this.repository.lockedLedger(session, vendor_id);
      if (found !== null && !isFree(found, claim)) return null;
      // An import that has the lock has not seen the new day yet, so it is waited for.
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
   * Writes a batch, and how far it has come.
   * @param work returns what changes in the ledger's row
   * @throws TurnLostError, and then nothing is written
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

  /** Gives the turn back, for this or another process to go on. */
  async release({ vendor_id, claim }: RetainedLedger): Promise<void> {
    await this.database.writeIdempotent(async (session) => {
      const found = await this.repository.lockedLedger(session, vendor_id);
      if (found?.claim !== claim) return;
      await this.repository.changeLedger(session, vendor_id, { claim: null, claim_ends: null });
    });
  }

  /**
   * Gives it back after everything was emptied. What receivers answered, and what could not be read of an
   * upstream, may quote what was emptied.
   * @param today in UTC
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
