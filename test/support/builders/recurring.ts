import { envelopeOf, type Answer } from '../http/http.js';
import { product, recurringPayment, user } from './ledger-records.js';
import { openRaw } from '../sql/raw-connection.js';
import { TestService } from '../servers/service.js';

export const VENDOR = 1;
export const OTHER_VENDOR = 2;
export const PRODUCT = 10;

export function recurringPath(pre_key: string): string {
  return `/v2.0/recurring_payment/${pre_key}`;
}

/**
 * Subscriptions of one vendor, and one of another vendor (FOREIGN), with the first vendor's key.
 */
export class RecurringPayments {
  private constructor(
    readonly service: TestService,
    readonly key: string,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<RecurringPayments> {
    return RecurringPayments.on(await TestService.start(environment));
  }

  static async on(service: TestService): Promise<RecurringPayments> {
    await service.import([
      user(VENDOR),
      user(OTHER_VENDOR),
      product(PRODUCT, VENDOR),
      product(20, OTHER_VENDOR),
      recurringPayment('FOREIGN', 20, { id: 9 }),
    ]);
    return new RecurringPayments(service, await service.key(VENDOR));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  /** Imports a subscription, or resets the status of an existing one. */
  async restore(pre_key: string, id: number, status = 'ACTIVE'): Promise<void> {
    // Otherwise changes made through the API would stay.
    await this.run(`UPDATE recurring_payments SET overruled = NULL WHERE pre_key = '${pre_key}'`);
    await this.service.import([recurringPayment(pre_key, PRODUCT, { id, status })]);
    await this.run(`DELETE FROM recurring_cancels WHERE pre_key = '${pre_key}'`);
  }

  cancel(pre_key: string, body: unknown = { status: 'CANCEL' }, type?: string): Promise<Answer> {
    return this.service.put(recurringPath(pre_key), this.key, body, type);
  }

  async read(pre_key: string): Promise<Record<string, unknown>> {
    return (await this.service.envelope(recurringPath(pre_key), this.key)).results[0] ?? {};
  }

  async status(pre_key: string): Promise<unknown> {
    return (await this.read(pre_key)).status;
  }

  async rows(sql: string) {
    const raw = await openRaw(this.service.database.url);
    try {
      return await raw.rows(sql);
    } finally {
      await raw.close();
    }
  }

  async run(sql: string): Promise<void> {
    const raw = await openRaw(this.service.database.url);
    try {
      await raw.run(sql);
    } finally {
      await raw.close();
    }
  }
}

/**
 * Returns the HTTP status and the result of a cancellation, such as `200 true` or `402 undefined`.
 */
export function outcomeOf(answer: Answer): string {
  const canceled = envelopeOf(answer).results[0]?.canceled;
  return `${answer.status} ${String(canceled)}`;
}
