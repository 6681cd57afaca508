import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { momentOf } from '../../common/time.js';
import { Database } from '../../database/database.js';
import type { Principal } from '../accounts/account.model.js';
import { AuditService } from '../audit/audit.service.js';
import { PaymentProcessor } from './payment-processor.js';
import type { RecurringPayment } from './recurring-payment.model.js';
import { RecurringRepository } from './recurring.repository.js';
import { RecurringService } from './recurring.service.js';

/**
 * Longer than all tries at the processor together, 16 s: then whoever had the claim is gone. Less than
 * the 30 s for which a proxy waits, and the service itself keeps a silent connection.
 */
const CLAIM_MS = 22_000;
const POLL_MS = 100;

type Turn = 'free' | 'expired' | "another's";

/** Ends recurring payments: the processor is told once, whoever asks and however often. */
@Injectable()
export class RecurringCancelService {
  constructor(
    private readonly database: Database,
    private readonly recurring: RecurringService,
    private readonly repository: RecurringRepository,
    private readonly processor: PaymentProcessor,
    private readonly audit: AuditService,
  ) {}

  /**
   * Cancels a payment for a product of the caller's (decisions: Recurring cancel).
   * @returns whether it is canceled now; a COMPLETED one can't be
   * @throws ApiError not_found, or request_failed where the processor did not take it
   */
  async cancel(principal: Principal, pre_key: string): Promise<boolean> {
    const claim = randomUUID();
    let waited = false;
    for (;;) {
      const seen = await this.recurring.paymentOf(principal.user_id, pre_key);
      if (seen.status !== 'ACTIVE') return seen.status === 'CANCELED';
      const turn = await this.claimTurn(pre_key, claim);
      if (turn !== "another's") {
        // Looked at again under the claim: another's cancel may have been taken since the first look.
        const payment = await this.recurring.paymentOf(principal.user_id, pre_key);
        if (payment.status !== 'ACTIVE') {
          await this.dropClaim(pre_key, claim);
          return payment.status === 'CANCELED';
        }
        // Whoever waited for another's try has its outcome: it was not taken, for it is still ACTIVE.
        if (turn === 'free' && waited) return this.refused(pre_key, claim);
        return this.tellProcessor(principal, payment, claim);
      }
      waited = true;
      await wait(POLL_MS);
    }
  }

  /** Claims the payment, unless another has: `expired` where that other was never heard of again. */
  private claimTurn(pre_key: string, claim: string): Promise<Turn> {
    let turn: Turn = 'free';
    return this.database.settle(async (session) => {
      const now = Date.now();
      const ends = momentOf(new Date(now + CLAIM_MS));
      const found = await this.repository.lockedClaim(session, pre_key);
      if (found === null) {
        await this.repository.addClaim(session, { pre_key, claim, ends });
        return 'free';
      }
      if (found.claim !== claim) {
        if (found.ends > momentOf(new Date(now))) return "another's";
        turn = 'expired';
      }
      await this.repository.replaceClaim(session, { pre_key, claim, ends });
      return turn;
    });
  }

  private async tellProcessor(
    principal: Principal,
    payment: RecurringPayment,
    claim: string,
  ): Promise<boolean> {
    const { pre_key, id, product_id } = payment;
    if (!(await this.processor.cancel({ pre_key, id, product_id }))) {
      return this.refused(pre_key, claim);
    }
    await this.database.settle(async (session) => {
      await this.repository.dropClaim(session, pre_key, claim);
      if (!(await this.repository.setCanceled(session, pre_key))) return;
      await this.audit.record(session, {
        user_id: principal.user_id,
        application_id: principal.application_id,
        action: 'recurring_payment.cancel',
        subject: `recurring payment ${id}`,
        before: { status: payment.status },
        after: { status: 'CANCELED' },
      });
    });
    return true;
  }

  private async refused(pre_key: string, claim: string): Promise<never> {
    await this.dropClaim(pre_key, claim);
    const detail = 'The payment processor did not take the cancel; the payment is still active.';
    throw new ApiError('request_failed', detail);
  }

  private dropClaim(pre_key: string, claim: string): Promise<void> {
    return this.database.settle((session) => this.repository.dropClaim(session, pre_key, claim));
  }
}
