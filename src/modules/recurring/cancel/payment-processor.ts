/** The recurring payment that the processor must end. */
export interface CancelOrder {
  readonly pre_key: string;
  readonly id: number;
  readonly product_id: number;
}

/**
 * The outcome of one try. `accepted` and `rejected` are the processor's own answers. With `no_effect` it
 * did not receive the cancel, or was too busy; with `unknown` it may have accepted it.
 */
export type CancelOutcome = 'accepted' | 'rejected' | 'no_effect' | 'unknown';

/** The port to the system that charges the customer. */
export abstract class PaymentProcessor {
  /**
   * Requests the end of the payments, once.
   * @param idempotencyKey the same for every try of a cancel, so that it takes effect once
   */
  abstract cancel(order: CancelOrder, idempotencyKey: string): Promise<CancelOutcome>;
}

/** Accepts every order: the system that charges customers reads the status from the ledger. */
export class RecordingPaymentProcessor extends PaymentProcessor {
  cancel(): Promise<CancelOutcome> {
    return Promise.resolve('accepted');
  }
}
