import {
  MAX_COUNTED,
  type AgreementPayments,
} from '../../modules/transactions/agreements/agreement-payments.model.js';
import type { VendorSale } from '../../modules/reports/sale/sale.model.js';
import { Money, numberText } from '../reports/figures.view.js';
import { DateTime } from '../ui/date-time.view.js';
import { Panel } from '../ui/facts.view.js';
import { eventsOf, type SaleEvent } from './sale-events.js';
import { Status } from './status.view.js';
import { transactionPath } from './transaction-path.js';

/** Shows the sale, its refund or chargeback, and the other payments of its subscription. */
export function Timeline({ sale }: { readonly sale: VendorSale }) {
  const { agreement, transaction_id } = sale;
  const shown: AgreementPayments = agreement ?? { payments: [sale], earlier: 0, later: 0 };
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
