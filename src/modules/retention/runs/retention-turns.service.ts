import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../../database/database.js';
import {
  isFree,
  LeaseLostError,
  Leases,
  NO_LEASE,
  type Held,
} from '../../../platform/jobs/lease.js';
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

type Turn = Held<RetainedLedger>;

/**
 * Manages the lease that lets one process at a time remove data from a ledger. Progress is stored
 * with each batch.
 */
@Injectable()
export class RetentionTurnsService {
  private readonly leases: Leases<number, RetainedLedger>;

  constructor(
    private readonly database: Database,
    private readonly repository: RetentionRepository,
    private readonly writes: TransactionWritesService,
    private readonly webhooks: WebhooksService,
    private readonly upstreams: UpstreamsService,
    private readonly audit: AuditService,
  ) {
    this.leases = new Leases(database, repository, CLAIM_MS);
  }

  /**
   * Acquires the lease and raises the first day for which personal data is kept. From then on,
   * older sales lose their personal data when they arrive, so only stored sales remain to be
   * handled.
   * @returns null if another process has the lease
   */
  take(vendor_id: number, day: string): Promise<Turn | null> {
    const claim = randomUUID();
    return this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, vendor_id);
      if (found !== null && found.claim !== claim && !isFree(found)) return null;
      // An import that has the lock does not know the new day yet. Taking the lock waits for its
      // end.
      await this.writes.lock(session, [vendor_id], []);
      const claimed = this.leases.lasting(claim);
      if (found === null) {
        const none = { transactions: 0, recurring_payments: 0, done_on: null };
        const added = { vendor_id, retained_from: day, ...BEFORE_ALL_SALES, ...none, ...claimed };
        await this.repository.addLedger(session, added);
        return added;
      }
      const retained_from = found.retained_from > day ? found.retained_from : day;
      await this.repository.change(session, vendor_id, { retained_from, ...claimed });
      return { ...found, retained_from, ...claimed };
    });
  }

  /**
   * Writes a batch and its progress, and renews the lease.
   * @param work returns the changes of the ledger's row
   * @throws LeaseLostError if the lease is lost; nothing is written
   */
  write(
    { vendor_id, claim }: Turn,
    work: (session: Session, ledger: RetainedLedger) => Promise<Partial<RetainedLedger>>,
  ): Promise<Turn> {
    return this.database.writeErasing((session) =>
      this.leases.extend(session, vendor_id, claim, (ledger) => work(session, ledger)),
    );
  }

  /** Releases the lease, so that this or another process can continue. */
  release({ vendor_id, claim }: Turn): Promise<void> {
    return this.leases.release(vendor_id, claim);
  }

  /**
   * Records a completed run and releases the lease. It also deletes responses of webhook receivers
   * and problem texts of upstreams, because these may quote the removed data.
   */
  finish({ vendor_id, claim }: Turn, today: string): Promise<RetentionRun> {
    return this.database.writeErasing(async (session) => {
      const found = await this.leases.held(session, vendor_id, claim);
      if (found === null) throw new LeaseLostError();
      const { retained_from, transactions, recurring_payments } = found;
      const none = { transactions: 0, recurring_payments: 0 };
      const changes = { ...none, done_on: today, ...NO_LEASE };
      await this.repository.change(session, vendor_id, changes);
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
}
