/** What the processor of a recurring payment is asked to end. */
export interface CancelOrder {
  readonly pre_key: string;
  readonly id: number;
  readonly product_id: number;
}

/**
 * What became of one try. `taken` and `refused` are the processor's own word on the cancel. With
 * `no_effect` it has not heard of it, or was too busy; with `unknown` it may have taken it.
 */
export type CancelOutcome = 'taken' | 'refused' | 'no_effect' | 'unknown';

/** The port to whoever charges the customer. */
export abstract class PaymentProcessor {
  /**
   * Asks once for an end of the payments.
   * @param idempotencyKey the same for every try of one cancel, so that it is done once
   */
  abstract cancel(order: CancelOrder, idempotencyKey: string): Promise<CancelOutcome>;
}

/** Takes every order: whoever charges the customers reads the status from the ledger. */
export class RecordingPaymentProcessor extends PaymentProcessor {
  cancel(): Promise<CancelOutcome> {
    return Promise.resolve('taken');
  }
}
