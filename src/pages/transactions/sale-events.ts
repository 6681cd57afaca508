import type {
  AgreementPayment,
  AgreementPayments,
} from '../../modules/transactions/agreements/agreement-payments.model.js';

/** An event of a sale, or of another payment of its subscription. */
export interface SaleEvent {
  readonly name: 'Sale' | 'Rebill' | 'Refund' | 'Chargeback';
  /** Null if the ledger does not have the time. */
  readonly at: string | null;
  /**
   * In cents, negative if the customer got it back; null if the ledger does not have the amount.
   */
  readonly amount: number | null;
  readonly payment: AgreementPayment;
}

/** Returns the events in the order of time; those without a time come last. */
export function eventsOf({
  payments,
  earlier,
}: Pick<AgreementPayments, 'payments' | 'earlier'>): SaleEvent[] {
  const events = payments.flatMap((payment, index): SaleEvent[] => {
    const { sale_date, amount } = payment;
    const name = index === 0 && earlier === 0 ? 'Sale' : 'Rebill';
    return [{ name, at: sale_date, amount, payment }, ...returnOf(payment)];
  });
  return events.sort(byTime);
}

function returnOf(payment: AgreementPayment): SaleEvent[] {
  const { status, refund_date, refund_amount } = payment;
  const isBack = status === 'refunded' || status === 'charged_back';
  if (!isBack && refund_date === null) return [];
  return [
    {
      name: status === 'charged_back' ? 'Chargeback' : 'Refund',
      at: refund_date,
      amount: refund_amount === null ? null : -refund_amount,
      payment,
    },
  ];
}

function byTime(left: SaleEvent, right: SaleEvent): number {
  if (left.at === right.at) return 0;
  if (left.at === null || right.at === null) return left.at === null ? 1 : -1;
  return left.at < right.at ? -1 : 1;
}
