import { endOf, recurringStatusOf } from '../../../ledger/records/recurring-status.js';
import { STATUS_OF_3 } from '../../../ledger/reads/transaction.model.js';
import { pageOf } from '../../../platform/pages/page-answer.js';
import {
  subscriptionPath,
  SUBSCRIPTIONS_PATH,
  transactionPath,
  withQuery,
} from '../../../platform/pages/paths.js';
import {
  Badge,
  type Fact,
  Facts,
  LinkLine,
  Neighbours,
  Panel,
  Tabs,
} from '../../../platform/pages/ui/facts.view.js';
import { Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import { Done, FormButton, Problem } from '../../../platform/pages/ui/form.view.js';
import {
  amounts,
  type Column,
  counts,
  numbers,
  Table,
  times,
} from '../../../platform/pages/ui/table.view.js';
import {
  countText,
  DateTime,
  Money,
  moneyOrNone,
  numberText,
} from '../../../platform/pages/ui/values.view.js';
import { startOfDay, todayInUtc } from '../../../platform/values/time.js';
import {
  MAX_COUNTED,
  type SubscriptionPayment,
  type SubscriptionPayments,
} from '../../transactions/index.js';
import {
  type DueOnDay,
  type DueSelection,
  type ListedPayment,
  RECURRING_LISTS,
  type RecurringList,
  type RecurringPage,
  type UpcomingPayments,
} from './recurring-list.model.js';

const NAMES: Readonly<Record<RecurringList, string>> = {
  active: 'Active',
  canceled: 'Canceled',
  completed: 'Completed',
  other: 'Other',
};

/** A list, and which of its subscriptions are shown. */
interface ShownList {
  readonly list: RecurringList;
  /** Null for all. */
  readonly due: DueSelection | null;
}

/** @param upcoming null except on the first page of active subscriptions */
export function subscriptionsPage(
  shown: ShownList,
  counts: Readonly<Record<RecurringList, number>>,
  { payments, previous, next }: RecurringPage,
  upcoming: UpcomingPayments | null,
) {
  const { list, due } = shown;
  const name = due === null ? `${NAMES[list]} subscriptions` : nameOfDue(due);
  // Few vendors have subscriptions with another status.
  const lists = RECURRING_LISTS.filter(
    (each) => each !== 'other' || each === list || counts[each] > 0,
  );
  return pageOf(
    { title: 'Subscriptions', isWide: true },
    <>
      <Tabs
        label="Status"
        tabs={lists.map((each) => [each, `${NAMES[each]} (${numberText(counts[each])})`])}
        current={list}
        to={(each) => subscriptionsPath({ list: each, due: null })}
      />
      {upcoming !== null && <Upcoming {...upcoming} />}
      <h2>
        {name}, {list === 'active' ? 'next payment first' : 'newest first'}
      </h2>
      {due !== null && (
        <LinkLine href={subscriptionsPath({ list, due: null })}>All active subscriptions</LinkLine>
      )}
      <Table label={name} columns={columnsOf(list)} rows={payments} empty="None." />
      <Neighbours
        previous={{ words: 'Previous', href: previous && subscriptionsPath(shown, previous) }}
        next={{ words: 'Next', href: next && subscriptionsPath(shown, next) }}
      />
    </>,
  );
}

function nameOfDue(due: DueSelection): string {
  return due === 'late' ? 'Late payments' : `Payments on ${due.day} (UTC)`;
}

function columnsOf(list: RecurringList): Column<ListedPayment>[] {
  const today = startOfDay(todayInUtc());
  const isLate = ({ next_date }: ListedPayment) => next_date !== null && next_date < today;
  return [
    {
      name: 'Customer',
      cell: (payment) => <a href={subscriptionPath(payment.pre_key)}>{customerOf(payment)}</a>,
    },
    { name: 'Product', cell: ({ product_name }) => product_name },
    amounts('Price', ({ price }) => price),
    numbers('Payments made', paymentsText),
    list === 'active'
      ? times('Next payment', ({ next_date }) => next_date)
      : times('Last payment', ({ last_date }) => last_date),
    times('Since', ({ created }) => created),
    {
      name: 'Status',
      cell: (payment) =>
        list === 'active' && isLate(payment) ? (
          <Badge style="overdue">late</Badge>
        ) : (
          <StatusBadge status={payment.status} />
        ),
    },
  ];
}

/** Shows the payments of active subscriptions that are due in the next 30 days. */
function Upcoming({ days, total, overdue }: UpcomingPayments) {
  return (
    <Panel id="upcoming-title" title="Next payments, 30 days from today">
      <Figures label="Payments that are due">
        <Figure name="Due in 30 days" note={countText(total.agreements, 'payment')}>
          <Money cents={total.amount} />
        </Figure>
        {overdue.agreements > 0 && (
          <Figure
            name="Overdue"
            note={
              <a href={subscriptionsPath({ list: 'active', due: 'late' })}>
                {countText(overdue.agreements, 'late payment')}
              </a>
            }
          >
            <Money cents={overdue.amount} />
          </Figure>
        )}
      </Figures>
      <p>One payment per subscription, at its regular price.</p>
      {days.length > 0 && (
        <details>
          <summary>By day</summary>
          <Table label="Next payments by day" columns={DAY_COLUMNS} rows={days} />
        </details>
      )}
    </Panel>
  );
}

const DAY_COLUMNS: readonly Column<DueOnDay>[] = [
  {
    name: 'Day',
    cell: ({ day }) => <a href={subscriptionsPath({ list: 'active', due: { day } })}>{day}</a>,
  },
  counts('Payments', ({ agreements }) => agreements),
  amounts('Total', ({ amount }) => amount),
];

/** @param isCanceled true after it was canceled on the pages */
export function subscriptionPage(
  payment: ListedPayment,
  made: SubscriptionPayments,
  isCanceled: boolean,
) {
  const { status, pre_key, product_name } = payment;
  return pageOf(
    {
      title: `Subscription of ${customerOf(payment)}`,
      back: [subscriptionsPath({ list: 'active', due: null }), 'All subscriptions'],
      heading: [customerOf(payment), ' ', <StatusBadge status={status} />],
    },
    <>
      <p class="lead">{product_name}</p>
      <Done>
        {isCanceled ? 'The subscription was canceled. The customer is not charged again.' : null}
      </Done>
      <Terms {...payment} />
      <SubscriptionPaymentsTable {...made} />
      <Customer {...payment} />
      {endOf(status) === null && (
        <Panel id="cancel-title" title="Cancel">
          <p>Ends the subscription: the customer is not charged again.</p>
          <p>
            <a class="button quiet" href={subscriptionPath(pre_key, '/cancel')}>
              Cancel this subscription …
            </a>
          </p>
        </Panel>
      )}
    </>,
  );
}

const STYLES = { ACTIVE: 'active', CANCELED: 'revoked', COMPLETED: '', OTHER: '' } as const;

function StatusBadge({ status }: Pick<ListedPayment, 'status'>) {
  const recognised = recurringStatusOf(status);
  const text = recognised === 'OTHER' ? status : recognised.toLowerCase();
  return <Badge style={STYLES[recognised]}>{text === '' ? 'no status' : text}</Badge>;
}

/**
 * Returns the customer's contact address, or else another text that identifies the subscription.
 */
export function customerOf({ contact_email, sender_email, pre_key }: ListedPayment): string {
  return contact_email || sender_email || pre_key;
}

/** Returns the number of payments, with the total if the plan has an end. */
function paymentsText({ current_payments, max_number_of_payments: total }: ListedPayment): string {
  const made = numberText(current_payments);
  return total > 0 ? `${made} of ${numberText(total)}` : made;
}

function Terms(payment: ListedPayment) {
  const money = (cents: number) => <Money cents={cents} />;
  const time = (at: string | null) => <DateTime at={at} isExact />;
  const isActive = recurringStatusOf(payment.status) === 'ACTIVE';
  const goesOn = endOf(payment.status) === null;
  const { payout, code } = payment;
  return (
    <Panel id="terms-title" title="Subscription terms">
      <Facts
        facts={[
          ['Price', money(payment.price)],
          ['Payments made', paymentsText(payment)],
          ['Paid so far', money(payment.current_payments_amount)],
          ['Next payment', isActive && time(payment.next_date)],
          ['Last payment', time(payment.last_date)],
          ['Since', time(payment.created)],
          [
            'Payment period',
            `${numberText(payment.payment_period)} (unit as the service sends it)`,
          ],
          ['Payments', numberText(payment.payment_count)],
          ['Maximum per payment', money(payment.max_amount_per_payment)],
          ['Maximum total', money(payment.max_total_of_all_payments)],
          ['Next payment, as received', goesOn && textOrNone(payment.next_payment)],
          ['Affiliate payout, payment 1', money(payment.payment_first_payout)],
          ['Affiliate payout from payment 2', payout === null ? 'product default' : money(payout)],
          ...trialOf(payment),
          ['Product', [payment.product_name, ' (', payment.product_id, ')']],
          ['Key', payment.pre_key],
          ['Id', payment.id],
          ['Code', code !== null && <>{code}</>],
        ]}
      />
    </Panel>
  );
}

function trialOf(payment: ListedPayment): Fact[] {
  if (!payment.has_payment_trial) return [['Trial', 'none']];
  return [
    ['Trial price', <Money cents={payment.payment_trial_price} />],
    ['Trial length', numberText(payment.payment_trial_period)],
    ['Affiliate payout, trial', <Money cents={payment.payment_trial_payout} />],
  ];
}

function textOrNone(text: string | null): string {
  return text === null || text === '' ? '–' : text;
}

function Customer(payment: ListedPayment) {
  return (
    <Panel id="customer-title" title="Customer">
      <Facts
        facts={[
          ['E-mail', textOrNone(payment.contact_email)],
          ['Processor e-mail', textOrNone(payment.processor_email)],
          ['Payer e-mail', textOrNone(payment.sender_email)],
          ['IP address', textOrNone(payment.ip)],
          ['Came from', textOrNone(payment.referrer)],
          ['Tracking id (tid)', textOrNone(payment.tid)],
          ['Tracking id of the vendor (vtid)', textOrNone(payment.vtid)],
        ]}
      />
    </Panel>
  );
}

const PAYMENT_COLUMNS: readonly Column<SubscriptionPayment>[] = [
  {
    name: 'Transaction',
    cell: ({ transaction_id }) => <a href={transactionPath(transaction_id)}>{transaction_id}</a>,
  },
  times('Date', ({ sale_date }) => sale_date),
  amounts('Amount', ({ amount }) => amount),
  { name: 'Status', cell: ({ status }) => STATUS_OF_3[status] },
  numbers('Refunded', ({ refund_amount }) => moneyOrNone(refund_amount)),
];

/** Shows the transactions of a subscription, newest first. */
function SubscriptionPaymentsTable({ payments, earlier }: SubscriptionPayments) {
  return (
    <Panel id="payments-title" title="Transactions, newest first">
      <Table
        label="Transactions of this subscription"
        columns={PAYMENT_COLUMNS}
        rows={payments.toReversed()}
        empty="None."
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
      frame: 'narrow card',
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

function subscriptionsPath({ list, due }: ShownList, cursor?: string): string {
  return withQuery(SUBSCRIPTIONS_PATH, {
    list,
    ...(due === null ? {} : { due: due === 'late' ? due : due.day }),
    ...(cursor === undefined ? {} : { cursor }),
  });
}
