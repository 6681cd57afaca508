import { createHmac } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  NotConnectedError,
  type OperatorCalls,
} from '../../../platform/outgoing/operator-calls.js';
import { OutgoingError } from '../../../platform/outgoing/outgoing-request.js';
import { UpstreamWritesService } from '../../mirror/index.js';
import { ProductsService } from '../../products/index.js';

/** Identifies the subscription that the processor must end. */
export interface CancelOrder {
  readonly pre_key: string;
  readonly id: number;
  readonly product_id: number;
}

/**
 * Describes the outcome of one attempt. `accepted` and `rejected` are answers of the processor.
 * `no_effect` means that the processor did not receive the cancellation or was too busy, `unknown`
 * that it may have accepted it.
 */
export type CancelOutcome = 'accepted' | 'rejected' | 'no_effect' | 'unknown';

/** Defines the port to the system that charges the customer. */
export abstract class PaymentProcessor {
  /**
   * Requests the end of the payments, once.
   * @param idempotencyKey the same key for each attempt of a cancellation, so that it takes effect
   *   once
   */
  abstract cancel(order: CancelOrder, idempotencyKey: string): Promise<CancelOutcome>;
}

/**
 * Accepts every order. It is used if no processor is configured: the system that charges customers
 * then reads the status from the ledger.
 */
export class RecordingPaymentProcessor extends PaymentProcessor {
  cancel(): Promise<CancelOutcome> {
    return Promise.resolve('accepted');
  }
}

/**
 * Cancels subscriptions of mirrored vendors at their upstream, which charges the customer. It
 * passes all others on to the configured processor.
 */
export class MirroredPaymentProcessor extends PaymentProcessor {
  constructor(
    private readonly others: PaymentProcessor,
    private readonly products: ProductsService,
    private readonly upstreams: UpstreamWritesService,
  ) {
    super();
  }

  async cancel(order: CancelOrder, idempotencyKey: string): Promise<CancelOutcome> {
    const [product] = await this.products.productsByIds([order.product_id]);
    const outcome =
      product === undefined ? null : await this.upstreams.cancel(product.vendor_id, order.pre_key);
    if (outcome === null) return this.others.cancel(order, idempotencyKey);
    if (outcome === 'taken') return 'accepted';
    return outcome === 'refused' ? 'rejected' : 'unknown';
  }
}

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
