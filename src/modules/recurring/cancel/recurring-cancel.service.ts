import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { overruledBy } from '../../../ledger/records/overruled-fields.js';
import { endOf } from '../../../ledger/records/recurring-status.js';
import { Database } from '../../../platform/database/database.js';
import { everyJob, JobQueue } from '../../../platform/jobs/job-queue.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { dateTimeIn, secondsSince } from '../../../platform/values/time.js';
import { AuditService, urgent, type UndoneActions } from '../../audit/index.js';
import {
  subscriptionSubject,
  type PaymentStatus,
  type RecurringPayment,
} from '../recurring-payment.model.js';
import { RecurringRepository } from '../recurring.repository.js';
import { RecurringService } from '../recurring.service.js';
import {
  CancelLeasesRepository,
  type CancelRequester,
  type DueCancel,
  type WaitingCancels,
} from './cancel-leases.repository.js';
import { CancelLeasesService, type CancelTurn } from './cancel-leases.service.js';
import { CANCEL_ACTION } from './cancel-times.service.js';
import { type CancelOutcome, PaymentProcessor } from './payment-processor.js';

/** Lists the audited action on a subscription, with advice for after a restore. */
export const CANCEL_ACTIONS: UndoneActions = {
  [CANCEL_ACTION]: urgent(
    "The processor has ended it, but here it is not CANCELED any more. Run in the database: UPDATE recurring_payments SET overruled = JSON_OBJECT('status', JSON_OBJECT('said', COALESCE(status_word, status))), status = 'CANCELED', status_word = NULL WHERE id = {id} AND status IN ('ACTIVE', 'OTHER') AND product_id IN (SELECT id FROM products WHERE vendor_id = {author});",
  ),
};

const POLL_MS = 100;
const TRIES = 3;
const PAUSE_MS = 200;

const REJECTED = 'The payment processor did not take the cancel; the payment is still active.';
const UNKNOWN =
  'The payment processor has not said whether it took the cancel. It is asked again until it does; the payment shows what it says then.';

/** Cancels subscriptions. The processor gets one cancellation, however many callers request it. */
@Injectable()
export class RecurringCancelService {
  constructor(
    private readonly database: Database,
    private readonly recurring: RecurringService,
    private readonly repository: RecurringRepository,
    private readonly leases: CancelLeasesService,
    private readonly leased: CancelLeasesRepository,
    private readonly processor: PaymentProcessor,
    private readonly audit: AuditService,
  ) {}

  /**
   * Cancels a subscription to a product of the caller, whatever its status word is.
   * @returns whether it is canceled now; a completed subscription cannot be canceled
   * @throws ApiError not_found; request_failed if the processor did not accept the cancellation, or
   *   if its outcome is unknown, in which case it is repeated in the background
   */
  async cancel(by: CancelRequester, pre_key: string): Promise<boolean> {
    const claim = randomUUID();
    let hasWaited = false;
    for (;;) {
      const seen = await this.recurring.paymentOf(by.user_id, pre_key);
      const ended = endOf(seen.status);
      if (ended !== null) return ended === 'CANCELED';
      const turn = await this.leases.take(pre_key, claim, by, hasWaited);
      if (turn === 'waits') throw new ApiError('request_failed', UNKNOWN);
      if (turn !== "another's") return this.inTurn(by, turn, hasWaited);
      hasWaited = true;
      await wait(POLL_MS);
    }
  }

  /** Repeats a cancellation with an unknown outcome if its next attempt is due. */
  async tryAgain({ id, ...by }: DueCancel): Promise<void> {
    const turn = await this.leases.takeDue(id);
    if (turn === null) return;
    const payment = await this.recurring.paymentOf(by.user_id, id);
    if (endOf(payment.status) !== null) return this.leases.drop(turn);
    await this.endTurn(by, payment, turn, await this.send(payment, turn, 1));
  }

  private async inTurn(
    by: CancelRequester,
    turn: CancelTurn,
    hasWaited: boolean,
  ): Promise<boolean> {
    // The status is read again under the lease, because the processor may have accepted the
    // cancellation of another caller meanwhile.
    const payment = await this.recurring.paymentOf(by.user_id, turn.pre_key);
    const ended = endOf(payment.status);
    if (ended !== null) {
      await this.leases.drop(turn);
      return ended === 'CANCELED';
    }
    // The caller waited for another caller's attempt, which was not accepted. The subscription can
    // still be canceled.
    const isRejected = turn.isFirst && hasWaited;
    const outcome = isRejected ? 'rejected' : await this.send(payment, turn, TRIES);
    await this.endTurn(by, payment, turn, outcome);
    if (outcome === 'accepted') return true;
    throw new ApiError('request_failed', outcome === 'unknown' ? UNKNOWN : REJECTED);
  }

  /** Sends a cancellation up to `tries` times, and returns the outcome of all attempts together. */
  private async send(
    { pre_key, id, product_id }: RecurringPayment,
    { idempotency_key, isFirst }: CancelTurn,
    tries: number,
  ): Promise<CancelOutcome> {
    let isUnknown = !isFirst;
    for (let tried = 1; tried <= tries; tried += 1) {
      if (tried > 1) await wait(PAUSE_MS * (tried - 1));
      const outcome = await this.processor.cancel({ pre_key, id, product_id }, idempotency_key);
      if (outcome === 'accepted' || outcome === 'rejected') return outcome;
      isUnknown ||= outcome === 'unknown';
    }
    return isUnknown ? 'unknown' : 'no_effect';
  }

  private async endTurn(
    by: CancelRequester,
    payment: RecurringPayment,
    turn: CancelTurn,
    outcome: CancelOutcome,
  ): Promise<void> {
    if (outcome === 'accepted') await this.finish(by, payment, turn);
    else if (outcome === 'unknown') await this.leases.pause(turn);
    else await this.leases.drop(turn);
  }

  private finish(
    by: CancelRequester,
    { id }: RecurringPayment,
    { pre_key, claim }: CancelTurn,
  ): Promise<void> {
    return this.database.writeIdempotent(async (session) => {
      await this.leased.drop(session, pre_key, claim);
      const [stored] = await this.repository.records.locked(session, [{ pre_key }]);
      if (stored === undefined || endOf(stored.content.status) === 'CANCELED') return;
      const before: PaymentStatus = { status: stored.content.status };
      const after: PaymentStatus = { status: 'CANCELED' };
      const overruled = overruledBy({ ...stored, content: before }, after, ['status']);
      await this.repository.setStatus(session, pre_key, { content: after, overruled });
      await this.recurring.recordStatus(session, by.user_id, stored.content, after);
      await this.audit.record(session, {
        user_id: by.user_id,
        application_id: by.application_id,
        action: CANCEL_ACTION,
        subject: subscriptionSubject({ id }),
        before,
        after,
      });
    });
  }
}

const RETRY_POLL_MS = 2_000;
/** Maximum number of concurrent attempts. Each waits at most 5 s for the processor. */
const MAX_CONCURRENT = 10;

/** Repeats cancellations whose outcome at the processor is unknown. */
@Injectable()
export class CancelRetriesService extends JobQueue<DueCancel> {
  private waiting: WaitingCancels = { count: 0, oldest: null };

  constructor(
    private readonly cancels: RecurringCancelService,
    private readonly leases: CancelLeasesRepository,
    metrics: Metrics,
  ) {
    super('Cancels could not be sent again', RETRY_POLL_MS, [
      { max: MAX_CONCURRENT, group: everyJob },
    ]);
    metrics.sharedGauge(
      'cancels_waiting',
      'Cancels of which the payment processor has not said whether it took them.',
      () => this.waiting.count,
    );
    metrics.sharedGauge('cancels_waiting_seconds', 'How long the oldest of them has waited.', () =>
      this.waiting.oldest === null ? 0 : secondsSince(this.waiting.oldest),
    );
  }

  protected async due(): Promise<DueCancel[]> {
    this.waiting = await this.leases.waiting();
    return this.leases.due(dateTimeIn(0), MAX_CONCURRENT);
  }

  protected attempt(cancel: DueCancel): Promise<void> {
    return this.cancels.tryAgain(cancel);
  }
}
