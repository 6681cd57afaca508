/** What the processor of a recurring payment is asked to end. */
export interface CancelOrder {
  readonly pre_key: string;
  readonly id: number;
  readonly product_id: number;
}

/** The port to whoever charges the customer. */
export abstract class PaymentProcessor {
  /**
   * Asks for an end of the payments.
   * @returns false where the processor refused or could not take it; nothing has changed then
   */
  abstract cancel(order: CancelOrder): Promise<boolean>;
}

/** Takes every order: whoever charges the customers reads the status from the ledger. */
export class RecordingPaymentProcessor extends PaymentProcessor {
  cancel(): Promise<boolean> {
    return Promise.resolve(true);
  }
}
