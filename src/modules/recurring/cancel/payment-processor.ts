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
