import { createHmac } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import { NotConnectedError, OperatorCalls } from '../../../platform/outgoing/operator-calls.js';
import { OutgoingError } from '../../../platform/outgoing/outgoing-request.js';
import { UpstreamWritesService } from '../../mirror/index.js';
import { ProductsService } from '../../products/index.js';
import type { RecurringPayment } from '../recurring-payment.model.js';
import { RECURRING } from '../recurring.feature.js';

/** Identifies the subscription that the processor must end. */
type CancelOrder = Pick<RecurringPayment, 'pre_key' | 'id' | 'product_id'>;

/**
 * Describes the outcome of one attempt. `accepted` and `rejected` are answers of the processor.
 * `no_effect` means that the processor did not receive the cancellation or was too busy, `unknown`
 * that it may have accepted it.
 */
export type CancelOutcome = 'accepted' | 'rejected' | 'no_effect' | 'unknown';

const OUTCOMES_AT_UPSTREAM = {
  taken: 'accepted',
  refused: 'rejected',
  unknown: 'unknown',
} as const;
const LIMIT_MS = 5_000;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;

/**
 * Cancels subscriptions at the system that charges the customer: the upstream of a mirrored vendor,
 * or else the configured URL. Without a URL every order is accepted, and the system that charges
 * customers reads the status from the ledger.
 */
@Injectable()
export class PaymentProcessor {
  /** The name is that of the context in log lines. */
  private readonly logger = new Logger('WebhookPaymentProcessor');
  private readonly url: string | null;
  private readonly secret: string | null;

  constructor(
    settings: Settings,
    private readonly calls: OperatorCalls,
    private readonly products: ProductsService,
    private readonly upstreams: UpstreamWritesService,
  ) {
    this.url = valueOf(settings, RECURRING.settings.processorUrl);
    this.secret = valueOf(settings, RECURRING.settings.processorSecret);
  }

  /**
   * Requests the end of the payments, once.
   * @param idempotencyKey the same key for each attempt of a cancellation, so that it takes effect
   *   once
   */
  async cancel(order: CancelOrder, idempotencyKey: string): Promise<CancelOutcome> {
    const [product] = await this.products.productsByIds([order.product_id]);
    const outcome =
      product === undefined ? null : await this.upstreams.cancel(product.vendor_id, order.pre_key);
    if (outcome !== null) return OUTCOMES_AT_UPSTREAM[outcome];
    if (this.url === null || this.secret === null) return 'accepted';
    const body = JSON.stringify({ event: 'recurring_payment.cancel', ...order });
    return this.send(this.url, body, headersOf(body, this.secret, idempotencyKey));
  }

  /** Sends an order once, and logs each outcome other than `accepted`. */
  private async send(
    url: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<CancelOutcome> {
    let status: number | null = null;
    let outcome: CancelOutcome;
    try {
      status = await this.calls.post(url, { headers, body, ms: LIMIT_MS });
      outcome = outcomeOf(status);
    } catch (error) {
      if (!(error instanceof NotConnectedError || error instanceof OutgoingError)) throw error;
      // An order of which no byte was sent cannot have had an effect.
      outcome = error instanceof NotConnectedError ? 'no_effect' : 'unknown';
    }
    if (outcome !== 'accepted') {
      const message = 'The payment processor did not accept a cancel';
      this.logger.warn({ message, status, outcome });
    }
    return outcome;
  }
}

/**
 * Returns the headers of an order. `X-Signature` is the HMAC-SHA-256 of `TIMESTAMP.BODY` under the
 * shared secret, `X-Timestamp` is the time in seconds.
 */
function headersOf(body: string, secret: string, idempotencyKey: string) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`);
  return {
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
    'X-Timestamp': timestamp,
    'X-Signature': signature.digest('hex'),
  };
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
