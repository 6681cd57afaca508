import { recurringStatusOf } from '../../../ledger/records/recurring-status.js';
import { isLate, type RecurringPayment } from '../../recurring/index.js';
import type { VendorSale } from './sale.service.js';
import {
  MAX_COUNTED,
  Status,
  statusText,
  type SubscriptionPayment,
  type SubscriptionPayments,
} from '../../transactions/index.js';
import { transactionPath } from '../../../platform/pages/paths.js';
import { Panel } from '../../../platform/pages/ui/facts.view.js';
import { DateTime, Day, Money, numberText } from '../../../platform/pages/ui/values.view.js';

/** Returns the state of a sale in plain words. */
export function saleWords({
  status,
  amount,
  refund_amount = null,
}: Pick<VendorSale, 'status' | 'amount'> & Partial<Pick<VendorSale, 'refund_amount'>>): string {
  const isPaid = status === 'completed' || status === 'refunded';
  const isPart = refund_amount !== null && refund_amount > 0 && refund_amount < amount;
  return isPaid && isPart ? 'partly refunded' : statusText(status);
}

/** An event of a sale, or of another payment of its subscription. */
interface SaleEvent {
  readonly name: 'Sale' | 'Rebill' | 'Refund' | 'Chargeback';
  /** Null if the ledger does not have the time. */
  readonly at: string | null;
  /**
   * In cents, negative if the customer got it back; null if the ledger does not have the amount.
   */
  readonly amount: number | null;
  readonly payment: SubscriptionPayment;
}

/**
 * Shows the sale, its refund or chargeback, the other payments of its subscription, and the next
 * one. A sale alone has no timeline, because the head of the page says the same.
 * @param agreement the subscription of the sale; null if the vendor has none
 */
export function Timeline({
  sale,
  agreement,
}: {
  readonly sale: VendorSale;
  readonly agreement: RecurringPayment | null;
}) {
  const { subscription, transaction_id } = sale;
  const shown: SubscriptionPayments = subscription ?? { payments: [sale], earlier: 0, later: 0 };
  const events = eventsOf(shown);
  const hasNext = shown.later === 0 && agreement !== null && nextDateOf(agreement) !== null;
  if (events.length < 2 && !hasNext) return null;
  return (
    <Panel id="timeline" title="Timeline">
      <NotShown count={shown.earlier} which="earlier" />
      <ol class="timeline">
        {events.map((event) => (
          <Event {...event} isCurrent={event.payment.transaction_id === transaction_id} />
        ))}
        {hasNext && <NextPayment {...agreement} />}
      </ol>
      <NotShown count={shown.later} which="later" />
    </Panel>
  );
}

function Event({
  name,
  at,
  amount,
  payment: { transaction_id, status },
  isCurrent,
}: SaleEvent & { readonly isCurrent: boolean }) {
  const isPayment = name === 'Sale' || name === 'Rebill';
  return (
    <li aria-current={isCurrent ? 'true' : undefined}>
      <span class="aside">{at === null ? 'on an unknown day' : <DateTime at={at} />}</span>{' '}
      <strong>{name}</strong> {amount !== null && <Money cents={amount} />}{' '}
      {isPayment && <Status of={status} />}
      {!isCurrent && (
        <div>
          <a href={transactionPath(transaction_id)}>{transaction_id}</a>
        </div>
      )}
    </li>
  );
}

/** Returns when the customer pays next; null if the subscription ended or the time is unknown. */
function nextDateOf({ status, next_date }: RecurringPayment): string | null {
  return recurringStatusOf(status) === 'ACTIVE' ? next_date : null;
}

function NextPayment(agreement: RecurringPayment) {
  return (
    <li>
      <span class="aside">
        <Day at={nextDateOf(agreement)} />
      </span>{' '}
      <strong>{isLate(agreement) ? 'Was due' : 'Next payment'}</strong>{' '}
      <Money cents={agreement.price} />
    </li>
  );
}

function NotShown({
  count,
  which,
}: {
  readonly count: number;
  readonly which: 'earlier' | 'later';
}) {
  if (count === 0) return null;
  const number = count >= MAX_COUNTED ? `${numberText(MAX_COUNTED)} or more` : numberText(count);
  return (
    <p class="hint">
      {number} {which} {count === 1 ? 'payment' : 'payments'} not shown
    </p>
  );
}

/** Returns the events in the order of time; those without a time come last. */
function eventsOf({ payments, earlier }: SubscriptionPayments): SaleEvent[] {
  const events = payments.flatMap((payment, index): SaleEvent[] => {
    const { sale_date, amount } = payment;
    const name = index === 0 && earlier === 0 ? 'Sale' : 'Rebill';
    return [{ name, at: sale_date, amount, payment }, ...returnOf(payment)];
  });
  return events.sort(byTime);
}

function returnOf(payment: SubscriptionPayment): SaleEvent[] {
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
