import { createHmac } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  NotConnectedError,
  type OperatorCalls,
} from '../../../platform/outgoing/operator-calls.js';
import { OutgoingError } from '../../../platform/outgoing/outgoing-request.js';
import { PaymentProcessor, type CancelOrder, type CancelOutcome } from './payment-processor.js';

const LIMIT_MS = 5_000;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;

/** URL that receives cancellations of subscriptions, and the secret that signs them. */
interface ProcessorAddress {
  readonly url: string;
  readonly secret: string;
}

/**
 * Sends a signed order to a configured URL. `X-Signature` is the HMAC-SHA-256 of `TIMESTAMP.BODY`
 * under the shared secret, `X-Timestamp` is the time in seconds.
 */
export class WebhookPaymentProcessor extends PaymentProcessor {
  private readonly logger = new Logger(WebhookPaymentProcessor.name);

  constructor(
    private readonly address: ProcessorAddress,
    private readonly calls: OperatorCalls,
  ) {
    super();
  }

  async cancel(order: CancelOrder, idempotencyKey: string): Promise<CancelOutcome> {
    const body = JSON.stringify({ event: 'recurring_payment.cancel', ...order });
    const answered = await this.post(body, idempotencyKey);
    const outcome = typeof answered === 'number' ? outcomeOf(answered) : answered;
    if (outcome !== 'accepted') {
      const status = typeof answered === 'number' ? answered : null;
      this.logger.warn({
        message: 'The payment processor did not accept a cancel',
        status,
        outcome,
      });
    }
    return outcome;
  }

  /**
   * Sends the order.
   * @returns the status of the answer, or the outcome if none arrived in time
   */
  private async post(body: string, idempotencyKey: string): Promise<number | CancelOutcome> {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', this.address.secret).update(`${timestamp}.${body}`);
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
      'X-Timestamp': timestamp,
      'X-Signature': signature.digest('hex'),
    };
    try {
      return await this.calls.post(this.address.url, { headers, body, ms: LIMIT_MS });
    } catch (error) {
      // An order of which no byte was sent cannot have had an effect.
      if (error instanceof NotConnectedError) return 'no_effect';
      if (error instanceof OutgoingError) return 'unknown';
      throw error;
    }
  }
}

/**
 * Returns the outcome for a status. A server error may follow a cancellation that took effect; a
 * client error cannot.
 */
function outcomeOf(status: number): CancelOutcome {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === TOO_MANY_REQUESTS) return 'no_effect';
  return status >= SERVER_ERRORS ? 'unknown' : 'rejected';
}
