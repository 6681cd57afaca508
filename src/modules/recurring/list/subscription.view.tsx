import { endOf, recurringStatusOf } from '../../../ledger/records/recurring-status.js';
import { pageOf } from '../../../platform/pages/page-answer.js';
import {
  AFFILIATES_PATH,
  customerPath,
  LIST_PATH,
  subscriptionPath,
  SUBSCRIPTIONS_PATH,
  transactionPath,
  withQuery,
} from '../../../platform/pages/paths.js';
import { CopiedText } from '../../../platform/pages/resource.view.js';
import { dayText } from '../../../platform/pages/ui/day-text.js';
import {
  type Fact,
  Facts,
  FoldedPanel,
  LinkLine,
  Panel,
  Subline,
} from '../../../platform/pages/ui/facts.view.js';
import { Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import { Done, FormButton, Problem } from '../../../platform/pages/ui/form.view.js';
import { Nothing } from '../../../platform/pages/ui/next-step.view.js';
import { History, type ShownHistory } from '../../../platform/pages/ui/history.view.js';
import { sortedBy } from '../../../platform/pages/ui/sorting.view.js';
import { amounts, type Column, numbers, Table } from '../../../platform/pages/ui/table.view.js';
import {
  countText,
  DateTime,
  Day,
  Email,
  Money,
  moneyOrNone,
  numberText,
} from '../../../platform/pages/ui/values.view.js';
import {
  MAX_COUNTED,
  Status,
  type SubscriptionPayment,
  type SubscriptionPayments,
} from '../../transactions/index.js';
import type { ListedPayment } from './recurring-list.model.js';
import { dayOf, daysBetween, todayInUtc } from '../../../platform/values/time.js';
import { customerOf, isLate, paymentsText, PaymentBadge } from './subscription-parts.view.js';

interface ShownFrom {
  /** Address of the list that the user comes from. */
  readonly back: string;
  readonly history: ShownHistory;
  /** Time when this service canceled the subscription; null if it did not. */
  readonly canceled_on: string | null;
  /** True after the subscription was canceled on the pages. */
  readonly isCanceled: boolean;
}

export function subscriptionPage(
  payment: ListedPayment,
  made: SubscriptionPayments,
  { back, history, canceled_on, isCanceled }: ShownFrom,
) {
  const { status, pre_key } = payment;
  const name = nameIn(made);
  return pageOf(
    {
      title: `Subscription of ${customerOf(payment)}`,
      back: [back, back === SUBSCRIPTIONS_PATH ? 'All subscriptions' : 'Subscriptions'],
      heading: [
        name === '' ? <Email address={customerOf(payment)} /> : name,
        ' ',
        <PaymentBadge {...payment} />,
      ],
    },
    <>
      <Done>
        {isCanceled ? 'The subscription was canceled. The customer is not charged again.' : null}
      </Done>
      <Parties payment={payment} made={made} name={name} />
      <Late {...payment} />
      <KeyFigures payment={payment} made={made} canceled_on={canceled_on} />
      <SubscriptionPaymentsTable {...made} />
      <Details {...payment} />
      {history.lines.length > 0 && <History {...history} />}
      {endOf(status) === null && (
        <Panel id="cancel-title" title="Cancel">
          <p>Ends the subscription: the customer is not charged again.</p>
          <p>
            <a class="button danger" href={subscriptionPath(pre_key, '/cancel')}>
              Cancel this subscription …
            </a>
          </p>
        </Panel>
      )}
    </>,
  );
}

function Late(payment: ListedPayment) {
  const { next_date } = payment;
  if (next_date === null || !isLate(payment)) return null;
  const days = daysBetween(dayOf(next_date), todayInUtc());
  const email = emailOf(payment);
  return (
    <p class="notice warning">
      Payment of {dayText(dayOf(next_date))} is <strong>{countText(days, 'day')} late</strong>.{' '}
      {email !== '' && (
        <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
          Write to the customer
        </a>
      )}
    </p>
  );
}

/** Returns the name of the customer in the latest payment; empty if it has none. */
function nameIn({ payments }: SubscriptionPayments): string {
  const last = payments.at(-1);
  return `${last?.customer_first_name ?? ''} ${last?.customer_last_name ?? ''}`.trim();
}

/**
 * Links to the customer, the product and the last affiliate of the payments.
 * @param name name of the customer, which the heading has; empty if it has the e-mail address
 */
function Parties({ payment, made, name }: ShownPayments & { readonly name: string }) {
  const { product_id, product_name } = payment;
  const email = emailOf(payment);
  const last = made.payments.findLast(({ affiliate_id: id }) => id !== null);
  const affiliate_id = last?.affiliate_id ?? null;
  const ofProduct = withQuery(LIST_PATH, { range: 'all-time', product: String(product_id) });
  return (
    <Subline
      parts={[
        email !== '' && (
          <a href={customerPath(email)}>{name === '' ? 'Customer' : <Email address={email} />}</a>
        ),
        <a href={ofProduct}>{product_name || product_id}</a>,
        affiliate_id !== null && (
          <>
            referred by{' '}
            <a href={`${AFFILIATES_PATH}/${affiliate_id}`}>
              {last?.affiliate_name ?? affiliate_id}
            </a>
          </>
        ),
      ]}
    />
  );
}

interface ShownPayments {
  readonly payment: ListedPayment;
  readonly made: SubscriptionPayments;
}

function emailOf({ contact_email, sender_email, processor_email }: ListedPayment): string {
  return contact_email || sender_email || processor_email;
}

function KeyFigures({
  payment,
  made,
  canceled_on,
}: ShownPayments & { readonly canceled_on: string | null }) {
  return (
    <Figures label="This subscription" isBig>
      <PaidSoFar payment={payment} made={made} />
      {endOf(payment.status) === null ? (
        <NextPayment {...payment} />
      ) : (
        <Ended payment={payment} canceled_on={canceled_on} />
      )}
      <Figure name="Payments made" note={lastPaymentText(payment)}>
        {paymentsText(payment)}
      </Figure>
    </Figures>
  );
}

/** Shows what the subscription reports as paid, less what came back if all payments are listed. */
function PaidSoFar({ payment, made: { payments, earlier, later } }: ShownPayments) {
  const paid = BigInt(payment.current_payments_amount);
  const refunded = payments.reduce(
    (sum, { refund_amount }) => sum + BigInt(refund_amount ?? 0),
    0n,
  );
  const isKnown = earlier + later === 0 && refunded > 0n && refunded <= paid;
  if (!isKnown) {
    return (
      <Figure name="Paid so far" note={`since ${dayText(dayOf(payment.created))}`}>
        <Money cents={paid} />
      </Figure>
    );
  }
  const note = (
    <>
      <Money cents={refunded} /> refunded
    </>
  );
  return (
    <Figure name="Paid so far" note={note} words="After refunds and chargebacks">
      <Money cents={paid - refunded} />
    </Figure>
  );
}

function NextPayment(payment: ListedPayment) {
  const { status, next_date, price } = payment;
  const isDated = next_date !== null && recurringStatusOf(status) === 'ACTIVE';
  return (
    <Figure name={isLate(payment) ? 'Was due' : 'Next payment'} note={<Money cents={price} />}>
      {isDated ? dayText(dayOf(next_date)) : '–'}
    </Figure>
  );
}

/** Shows that there is no next payment. */
function Ended({
  payment: { status },
  canceled_on,
}: {
  readonly payment: ListedPayment;
  readonly canceled_on: string | null;
}) {
  if (endOf(status) === 'COMPLETED') {
    return (
      <Figure name="Next payment" note="all payments were made">
        none
      </Figure>
    );
  }
  return canceled_on === null ? (
    <Figure name="Canceled" note="elsewhere, on an unknown day">
      –
    </Figure>
  ) : (
    <Figure name="Canceled" note="no further payments">
      {dayText(dayOf(canceled_on))}
    </Figure>
  );
}

function lastPaymentText({ last_date }: ListedPayment): string {
  return last_date === null ? 'none yet' : `last on ${dayText(dayOf(last_date))}`;
}

/** Shows all other fields, folded, because few readers need them. */
function Details(payment: ListedPayment) {
  const { code } = payment;
  return (
    <FoldedPanel title="Details">
      <Facts
        facts={[
          [
            'Subscription key',
            <CopiedText id="subscription-key" label="Copy the key" text={payment.pre_key} />,
          ],
          ['Subscription ID', payment.id],
          ['Product ID', payment.product_id],
          ['Code', code !== null && <>{code}</>],
          ...planOf(payment),
          ...trialOf(payment),
          ['Contact e-mail', textOrNone(payment.contact_email)],
          ['Processor e-mail', textOrNone(payment.processor_email)],
          ['Payer e-mail', textOrNone(payment.sender_email)],
          ['IP address', textOrNone(payment.ip)],
          ['Came from', textOrNone(payment.referrer)],
          ['Tracking id (tid)', textOrNone(payment.tid)],
          ['Your own tracking id (vtid)', textOrNone(payment.vtid)],
        ]}
      />
    </FoldedPanel>
  );
}

function planOf(payment: ListedPayment): Fact[] {
  const { payout } = payment;
  const goesOn = endOf(payment.status) === null;
  return [
    ['Price per payment', <Money cents={payment.price} />],
    [
      'Time between payments',
      `${numberText(payment.payment_period)}, in the unit of the sales system`,
    ],
    ['Payments', numberText(payment.payment_count)],
    ['Maximum per payment', <Money cents={payment.max_amount_per_payment} />],
    ['Maximum total', <Money cents={payment.max_total_of_all_payments} />],
    ['Next payment, as received', goesOn && textOrNone(payment.next_payment)],
    ['Started', <DateTime at={payment.created} isExact />],
    ['Affiliate payout, payment 1', <Money cents={payment.payment_first_payout} />],
    ['Affiliate payout from payment 2', payout === null ? 'product default' : moneyOrNone(payout)],
  ];
}

function trialOf(payment: ListedPayment): Fact[] {
  if (!payment.has_payment_trial) return [['Trial', 'none']];
  return [
    ['Trial price', <Money cents={payment.payment_trial_price} />],
    [
      'Trial length',
      `${numberText(payment.payment_trial_period)}, in the unit of the sales system`,
    ],
    ['Affiliate payout, trial', <Money cents={payment.payment_trial_payout} />],
  ];
}

function textOrNone(text: string | null): string {
  return text === null || text === '' ? '–' : text;
}

const PAYMENT_COLUMNS: readonly Column<SubscriptionPayment>[] = [
  {
    ...sortedBy('Date', 'descending'),
    cell: ({ transaction_id, sale_date }) => (
      <a href={transactionPath(transaction_id)}>
        <Day at={sale_date} />
      </a>
    ),
  },
  amounts('Amount', ({ amount }) => amount),
  {
    ...numbers<SubscriptionPayment>('Refunded', ({ refund_amount }) => moneyOrNone(refund_amount)),
    isZero: ({ refund_amount }) => refund_amount === null,
  },
  {
    name: 'Status',
    narrow: 'bare',
    cell: ({ status }) => <Status of={status} />,
  },
  { name: 'Transaction', narrow: 'none', cell: ({ transaction_id }) => transaction_id },
];

/** Shows the transactions of a subscription, newest first. */
function SubscriptionPaymentsTable({ payments, earlier }: SubscriptionPayments) {
  return (
    <Panel id="payments-title" title="Payments, newest first">
      <Table
        label="Payments of this subscription"
        columns={PAYMENT_COLUMNS}
        rows={payments.toReversed()}
        empty={
          <Nothing next={[SUBSCRIPTIONS_PATH, 'All subscriptions']}>
            No payments in your transactions yet.
          </Nothing>
        }
      />
      {earlier > 0 && (
        <p>
          {earlier >= MAX_COUNTED ? `${numberText(MAX_COUNTED)} or more` : numberText(earlier)}{' '}
          older, which are not shown.
        </p>
      )}
    </Panel>
  );
}

/**
 * Explains the effects of a cancellation before it is sent.
 * @param problem reason why a cancellation failed, if it was tried
 */
export function cancelPage(payment: ListedPayment, problem: string | null = null) {
  return pageOf(
    {
      title: 'Cancel a subscription',
      failure: problem === null ? undefined : 'request_failed',
      frame: 'card',
      heading: 'Cancel this subscription?',
    },
    <>
      <Problem>{problem}</Problem>
      <Facts
        facts={[
          ['Customer', customerOf(payment)],
          ['Product', <>{payment.product_name}</>],
          ['Price', <Money cents={payment.price} />],
          ['Payments made', paymentsText(payment)],
        ]}
      />
      <ul>
        <li>The customer is not charged again.</li>
        <li>What was paid stays paid. Nothing is refunded.</li>
        <li>This cannot be undone: only the customer can subscribe again.</li>
      </ul>
      <FormButton
        action={subscriptionPath(payment.pre_key, '/cancel')}
        words="Cancel the subscription"
        button="danger"
      />
      <LinkLine href={subscriptionPath(payment.pre_key)}>Don’t cancel</LinkLine>
    </>,
  );
}
