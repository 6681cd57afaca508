import {
  MAX_COUNTED,
  type SubscriptionPayment,
  type SubscriptionPayments,
} from '../../modules/transactions/subscriptions/subscription-payments.model.js';
import type { VendorSale } from '../../modules/reports/sale/sale.model.js';
import { transactionPath } from '../paths.js';
import { Panel } from '../ui/facts.view.js';
import { DateTime, Money, numberText } from '../ui/values.view.js';
import { Status } from './sales.view.js';

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

/** Shows the sale, its refund or chargeback, and the other payments of its subscription. */
export function Timeline({ sale }: { readonly sale: VendorSale }) {
  const { subscription, transaction_id } = sale;
  const shown: SubscriptionPayments = subscription ?? { payments: [sale], earlier: 0, later: 0 };
  return (
    <Panel id="timeline" title="Timeline">
      <NotShown count={shown.earlier} which="earlier" />
      <ol class="timeline">
        {eventsOf(shown).map((event) => (
          <Event event={event} isCurrent={event.payment.transaction_id === transaction_id} />
        ))}
      </ol>
      <NotShown count={shown.later} which="later" />
    </Panel>
  );
}

function Event({ event, isCurrent }: { readonly event: SaleEvent; readonly isCurrent: boolean }) {
  const { name, at, amount, payment } = event;
  const { transaction_id, status } = payment;
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
function eventsOf({
  payments,
  earlier,
}: Pick<SubscriptionPayments, 'payments' | 'earlier'>): SaleEvent[] {
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
