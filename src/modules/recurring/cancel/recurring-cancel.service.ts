import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';
import { Database } from '../../../database/database.js';
import type { Principal } from '../../accounts/account.model.js';
import { AuditService } from '../../audit/audit.service.js';
import { overruledBy } from '../../../ledger-format/overruled.js';
import type { PaymentStatus, RecurringPayment } from '../recurring-payment.model.js';
import { RecurringRepository } from '../recurring.repository.js';
import { RecurringService } from '../recurring.service.js';
import { CancelClaimsRepository } from './cancel-claims.repository.js';
import { CancelClaimsService } from './cancel-claims.service.js';
import { PaymentProcessor, type CancelOutcome } from './payment-processor.js';
import { endOf, type CancelAsker, type CancelTurn } from './recurring-cancel.model.js';

const POLL_MS = 100;
const TRIES = 3;
const PAUSE_MS = 200;

const REFUSED = 'The payment processor did not take the cancel; the payment is still active.';
const UNKNOWN =
  'The payment processor has not said whether it took the cancel. It is asked again until it does; the payment shows what it says then.';

/** Ends recurring payments: the processor is told once, whoever asks and however often. */
@Injectable()
export class RecurringCancelService {
  constructor(
    private readonly database: Database,
    private readonly recurring: RecurringService,
    private readonly repository: RecurringRepository,
    private readonly claims: CancelClaimsService,
    private readonly claimed: CancelClaimsRepository,
    private readonly processor: PaymentProcessor,
    private readonly audit: AuditService,
  ) {}

  /**
   * Cancels a payment for a product of the caller's (decisions: Recurring cancel).
   * @returns whether it is canceled now; a COMPLETED one can't be
   * @throws ApiError not_found, or request_failed where the processor did not take it, or has not said
   *   whether it did: then it is asked again in the background
   */
  async cancel(principal: Principal, pre_key: string): Promise<boolean> {
    const claim = randomUUID();
    let hasWaited = false;
    for (;;) {
      const seen = await this.recurring.paymentOf(principal.user_id, pre_key);
      if (seen.status !== 'ACTIVE') return seen.status === 'CANCELED';
      const turn = await this.claims.take(pre_key, claim, principal, hasWaited);
      if (turn === 'waits') throw new ApiError('request_failed', UNKNOWN);
      if (turn !== "another's") return this.inTurn(principal, turn, hasWaited);
      hasWaited = true;
      await wait(POLL_MS);
    }
  }

  /** Tells the processor once more of a cancel whose outcome is unknown, if that is due. */
  async tryAgain({ pre_key, ...by }: CancelAsker & { pre_key: string }): Promise<void> {
    const turn = await this.claims.takeDue(pre_key, randomUUID());
    if (turn === null) return;
    const payment = await this.recurring.paymentOf(by.user_id, pre_key);
    if (payment.status !== 'ACTIVE') return this.claims.drop(turn);
    await this.endTurn(by, payment, turn, await this.tell(payment, turn, 1));
  }

  private async inTurn(
    principal: Principal,
    turn: CancelTurn,
    hasWaited: boolean,
  ): Promise<boolean> {
    // Looked at again under the claim: another's cancel may have been taken since the first look.
    const payment = await this.recurring.paymentOf(principal.user_id, turn.pre_key);
    if (payment.status !== 'ACTIVE') {
      await this.claims.drop(turn);
      return payment.status === 'CANCELED';
    }
    // Whoever waited for another's try has its outcome: it was not taken, for it is still ACTIVE.
    const isRefused = turn.isFirst && hasWaited;
    const outcome = isRefused ? 'refused' : await this.tell(payment, turn, TRIES);
    await this.endTurn(principal, payment, turn, outcome);
    if (outcome === 'taken') return true;
    throw new ApiError('request_failed', outcome === 'unknown' ? UNKNOWN : REFUSED);
  }

  private async tell(
    { pre_key, id, product_id }: RecurringPayment,
    { idempotency_key, isFirst }: CancelTurn,
    tries: number,
  ): Promise<CancelOutcome> {
    const outcomes: CancelOutcome[] = [];
    for (let tried = 1; tried <= tries; tried += 1) {
      if (tried > 1) await wait(PAUSE_MS * (tried - 1));
      const outcome = await this.processor.cancel({ pre_key, id, product_id }, idempotency_key);
      outcomes.push(outcome);
      if (outcome === 'taken' || outcome === 'refused') break;
    }
    return endOf(isFirst, outcomes);
  }

  private async endTurn(
    by: CancelAsker,
    payment: RecurringPayment,
    turn: CancelTurn,
    outcome: CancelOutcome,
  ): Promise<void> {
    if (outcome === 'taken') await this.finish(by, payment, turn);
    else if (outcome === 'unknown') await this.claims.pause(turn);
    else await this.claims.drop(turn);
  }

  private finish(
    by: CancelAsker,
    { id }: RecurringPayment,
    { pre_key, claim }: CancelTurn,
  ): Promise<void> {
    return this.database.writeIdempotent(async (session) => {
      await this.claimed.drop(session, pre_key, claim);
      const [stored] = await this.repository.lockedPayments(session, [pre_key]);
      if (stored === undefined || stored.content.status === 'CANCELED') return;
      const before: PaymentStatus = { status: stored.content.status };
      const after: PaymentStatus = { status: 'CANCELED' };
      const overruled = overruledBy({ ...stored, content: before }, after, ['status']);
      await this.repository.setStatus(session, pre_key, { content: after, overruled });
      await this.audit.record(session, {
        user_id: by.user_id,
        application_id: by.application_id,
        action: 'recurring_payment.cancel',
        subject: `recurring payment ${id}`,
        ...{ before, after },
      });
    });
  }
}
