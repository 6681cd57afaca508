import type { ComponentChildren } from 'preact';
import { endOf, recurringStatusOf } from '../../ledger-format/recurring-status.js';
import type { ListedPayment } from '../../modules/recurring/list/recurring-list.model.js';
import type { AgreementPayments } from '../../modules/transactions/agreements/agreement-payments.model.js';
import type { Page } from '../http/page-answer.js';
import { Money, numberText } from '../reports/figures.view.js';
import { DateTime } from '../ui/date-time.view.js';
import { Done } from '../ui/form.view.js';
import { AgreementPaymentsTable } from './payments.view.js';
import { StatusBadge } from './status-badge.view.js';
import { cancelPath, listPath } from './subscription-paths.js';
import { customerOf, paymentsText } from './subscriptions.view.js';

const DONE: ReadonlyMap<string, string> = new Map([
  ['canceled', 'The subscription was canceled. The customer is not charged again.'],
]);

export function subscriptionPage(
  payment: ListedPayment,
  made: AgreementPayments,
  done: string,
): Page {
  const { status, pre_key, product_name } = payment;
  return {
    kind: 'page',
    title: `Subscription of ${customerOf(payment)}`,
    view: (
      <>
        <p>
          <a href={listPath('active')}>All subscriptions</a>
        </p>
        <h1>
          {customerOf(payment)} <StatusBadge status={status} />
        </h1>
        <p class="lead">{product_name}</p>
        <Done>{DONE.get(done)}</Done>
        <Agreement payment={payment} />
        <AgreementPaymentsTable made={made} />
        <Customer payment={payment} />
        {endOf(status) === null && (
          <section class="card" aria-labelledby="cancel-title">
            <h2 id="cancel-title">Cancel</h2>
            <p>Ends the subscription: the customer is not charged again.</p>
            <p>
              <a class="button quiet" href={cancelPath(pre_key)}>
                Cancel this subscription …
              </a>
            </p>
          </section>
        )}
      </>
    ),
  };
}

interface Properties {
  readonly payment: ListedPayment;
}

function Agreement({ payment }: Properties) {
  const { payout } = payment;
  return (
    <section class="card" aria-labelledby="agreement-title">
      <h2 id="agreement-title">Agreement</h2>
      <dl class="facts">
        <Fact name="Price">
          <Money cents={payment.price} />
        </Fact>
        <Fact name="Payments made">{paymentsText(payment)}</Fact>
        <Fact name="Paid so far">
          <Money cents={payment.current_payments_amount} />
        </Fact>
        {recurringStatusOf(payment.status) === 'ACTIVE' && (
          <Fact name="Next payment">
            <DateTime at={payment.next_date} isExact />
          </Fact>
        )}
        <Fact name="Last payment">
          <DateTime at={payment.last_date} isExact />
        </Fact>
        <Fact name="Since">
          <DateTime at={payment.created} isExact />
        </Fact>
        <Fact name="Interval between payments">{numberText(payment.payment_period)}</Fact>
        <Fact name="Payments in the plan">{numberText(payment.payment_count)}</Fact>
        <Fact name="Most per payment">
          <Money cents={payment.max_amount_per_payment} />
        </Fact>
        <Fact name="Most in total">
          <Money cents={payment.max_total_of_all_payments} />
        </Fact>
        <Fact name="Date of the next payment">
          <DateTime at={payment.next_date} isExact />
        </Fact>
        <Fact name="Next payment, as received">{payment.next_payment || '–'}</Fact>
        <Fact name="Affiliate's payout, first payment">
          <Money cents={payment.payment_first_payout} />
        </Fact>
        <Fact name="Affiliate's payout, later payments">
          {payout === null ? 'not set' : <Money cents={payout} />}
        </Fact>
        <Trial payment={payment} />
        <Fact name="Product">
          {payment.product_name} ({payment.product_id})
        </Fact>
        <Fact name="Key">{payment.pre_key}</Fact>
        <Fact name="Id">{payment.id}</Fact>
        {payment.code !== null && <Fact name="Code">{payment.code}</Fact>}
      </dl>
    </section>
  );
}

function Trial({ payment }: Properties) {
  if (!payment.has_payment_trial) return <Fact name="Trial">none</Fact>;
  return (
    <>
      <Fact name="Trial price">
        <Money cents={payment.payment_trial_price} />
      </Fact>
      <Fact name="Trial length">{numberText(payment.payment_trial_period)}</Fact>
      <Fact name="Affiliate's payout, trial">
        <Money cents={payment.payment_trial_payout} />
      </Fact>
    </>
  );
}

function Customer({ payment }: Properties) {
  const { contact_email, processor_email, sender_email, ip, referrer, tid, vtid } = payment;
  const facts = [
    ['E-mail', contact_email],
    ['E-mail at the payment processor', processor_email],
    ['E-mail of the paying account', sender_email],
    ['IP address', ip],
    ['Came from', referrer],
    ['Tracking id (tid)', tid],
    ['Tracking id of the vendor (vtid)', vtid],
  ] as const;
  return (
    <section class="card" aria-labelledby="customer-title">
      <h2 id="customer-title">Customer</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fact name={name}>{value === null || value === '' ? '–' : value}</Fact>
        ))}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
