import { endOf, recurringStatusOf } from '../../ledger-format/recurring-status.js';
import type { ListedPayment } from '../../modules/recurring/list/recurring-list.model.js';
import type { RecurringPayment } from '../../modules/recurring/recurring-payment.model.js';
import {
  MAX_COUNTED,
  type SubscriptionPayment,
  type SubscriptionPayments,
} from '../../modules/transactions/subscriptions/subscription-payments.model.js';
import { STATUS_OF_3 } from '../../modules/transactions/status-words.model.js';
import { pageOf, type Page } from '../http/page-answer.js';
import { subscriptionPath, subscriptionsPath, transactionPath } from '../paths.js';
import { Badge, Facts, LinkLine, Panel, type Fact } from '../ui/facts.view.js';
import { Done, FormButton, Problem } from '../ui/form.view.js';
import { amounts, numbers, Table, times, type Column } from '../ui/table.view.js';
import { DateTime, Money, moneyOrNone, numberText } from '../ui/values.view.js';

interface Properties {
  readonly payment: ListedPayment;
}

/** @param isCanceled true after it was canceled on the pages */
export function subscriptionPage(
  payment: ListedPayment,
  made: SubscriptionPayments,
  isCanceled: boolean,
): Page {
  const { status, pre_key, product_name } = payment;
  return pageOf(
    {
      title: `Subscription of ${customerOf(payment)}`,
      back: [subscriptionsPath('active'), 'All subscriptions'],
      heading: [customerOf(payment), ' ', <StatusBadge status={status} />],
    },
    <>
      <p class="lead">{product_name}</p>
      <Done>
        {isCanceled ? 'The subscription was canceled. The customer is not charged again.' : null}
      </Done>
      <Agreement payment={payment} />
      <SubscriptionPaymentsTable made={made} />
      <Customer payment={payment} />
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

export function StatusBadge({ status }: Pick<RecurringPayment, 'status'>) {
  const recognised = recurringStatusOf(status);
  const text = recognised === 'OTHER' ? status : recognised.toLowerCase();
  return <Badge style={STYLES[recognised]}>{text === '' ? 'no status' : text}</Badge>;
}

/**
 * Returns the customer's contact address, or else another text that identifies the subscription.
 */
export function customerOf({ contact_email, sender_email, pre_key }: RecurringPayment): string {
  return contact_email || sender_email || pre_key;
}

/** Returns the number of payments, with the total if the plan has an end. */
export function paymentsText({
  current_payments,
  max_number_of_payments: total,
}: RecurringPayment): string {
  const made = numberText(current_payments);
  return total > 0 ? `${made} of ${numberText(total)}` : made;
}

function Agreement({ payment }: Properties) {
  const money = (cents: number) => <Money cents={cents} />;
  const time = (at: string | null) => <DateTime at={at} isExact />;
  const isActive = recurringStatusOf(payment.status) === 'ACTIVE';
  const { payout, code } = payment;
  return (
    <Panel id="agreement-title" title="Agreement">
      <Facts
        facts={[
          ['Price', money(payment.price)],
          ['Payments made', paymentsText(payment)],
          ['Paid so far', money(payment.current_payments_amount)],
          ['Next payment', isActive && time(payment.next_date)],
          ['Last payment', time(payment.last_date)],
          ['Since', time(payment.created)],
          ['Interval between payments', numberText(payment.payment_period)],
          ['Payments in the plan', numberText(payment.payment_count)],
          ['Most per payment', money(payment.max_amount_per_payment)],
          ['Most in total', money(payment.max_total_of_all_payments)],
          ['Date of the next payment', time(payment.next_date)],
          ['Next payment, as received', textOrNone(payment.next_payment)],
          ["Affiliate's payout, first payment", money(payment.payment_first_payout)],
          ["Affiliate's payout, later payments", payout === null ? 'not set' : money(payout)],
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
    ["Affiliate's payout, trial", <Money cents={payment.payment_trial_payout} />],
  ];
}

function textOrNone(text: string | null): string {
  return text === null || text === '' ? '–' : text;
}

function Customer({ payment }: Properties) {
  return (
    <Panel id="customer-title" title="Customer">
      <Facts
        facts={[
          ['E-mail', textOrNone(payment.contact_email)],
          ['E-mail at the payment processor', textOrNone(payment.processor_email)],
          ['E-mail of the paying account', textOrNone(payment.sender_email)],
          ['IP address', textOrNone(payment.ip)],
          ['Came from', textOrNone(payment.referrer)],
          ['Tracking id (tid)', textOrNone(payment.tid)],
          ['Tracking id of the vendor (vtid)', textOrNone(payment.vtid)],
        ]}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<SubscriptionPayment>[] = [
  {
    name: 'Transaction',
    cell: ({ transaction_id }) => <a href={transactionPath(transaction_id)}>{transaction_id}</a>,
  },
  times('Date', ({ sale_date }) => sale_date),
  amounts('Amount', ({ amount }) => amount),
  { name: 'Status', cell: ({ status }) => STATUS_OF_3[status] },
  numbers('Returned', ({ refund_amount }) => moneyOrNone(refund_amount)),
];

/** Shows the transactions of a subscription, newest first. */
function SubscriptionPaymentsTable({ made }: { readonly made: SubscriptionPayments }) {
  const { earlier } = made;
  const payments = [...made.payments].reverse();
  return (
    <Panel id="payments-title" title="Transactions, newest first">
      {payments.length === 0 ? (
        <p class="empty">None.</p>
      ) : (
        <Table isWide label="Transactions of this subscription" columns={COLUMNS} rows={payments} />
      )}
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
export function cancelPage(payment: ListedPayment, problem: string | null = null): Page {
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
      <LinkLine href={subscriptionPath(payment.pre_key)}>Keep it</LinkLine>
    </>,
  );
}
