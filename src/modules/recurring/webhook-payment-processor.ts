import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { PaymentProcessorSettings } from '../../config/payment-processor-url.js';
import { PaymentProcessor, type CancelOrder } from './payment-processor.js';

const TRIES = 3;
const LIMIT_MS = 5_000;
const PAUSE_MS = 200;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;

/**
 * Posts an order to a configured address, signed: `X-Signature` is the HMAC-SHA-256 of
 * `TIMESTAMP.BODY` under the shared secret, `X-Timestamp` the time in seconds. All tries of one
 * order carry the same `Idempotency-Key`.
 */
export class WebhookPaymentProcessor extends PaymentProcessor {
  private readonly logger = new Logger(WebhookPaymentProcessor.name);

  constructor(private readonly settings: PaymentProcessorSettings) {
    super();
  }

  async cancel(order: CancelOrder): Promise<boolean> {
    const body = JSON.stringify({ event: 'recurring_payment.cancel', ...order });
    const idempotencyKey = randomUUID();
    for (let tried = 1; ; tried += 1) {
      const status = await this.post(body, idempotencyKey);
      if (status !== null && status >= 200 && status < 300) return true;
      const passes = status === null || status === TOO_MANY_REQUESTS || status >= SERVER_ERRORS;
      if (!passes || tried === TRIES) {
        this.logger.warn({ message: 'The payment processor took no cancel', status, tried });
        return false;
      }
      await wait(PAUSE_MS * tried);
    }
  }

  /** @returns the status of the answer, or null where none came in time */
  private async post(body: string, idempotencyKey: string): Promise<number | null> {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', this.settings.secret).update(`${timestamp}.${body}`);
    try {
      const response = await fetch(this.settings.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': idempotencyKey,
          'X-Timestamp': timestamp,
          'X-Signature': signature.digest('hex'),
        },
        body,
        // An order goes to the configured address and to no other.
        redirect: 'manual',
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  }
}
