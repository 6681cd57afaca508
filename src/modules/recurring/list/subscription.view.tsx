import { endOf, recurringStatusOf } from '../../../ledger/records/recurring-status.js';
import { STATUS_OF_3 } from '../../../ledger/reads/transaction.model.js';
import { pageOf } from '../../../platform/pages/page-answer.js';
import {
  customerPath,
  subscriptionPath,
  SUBSCRIPTIONS_PATH,
  transactionPath,
} from '../../../platform/pages/paths.js';
import { CopiedText } from '../../../platform/pages/resource.view.js';
import { type Fact, Facts, LinkLine, Panel } from '../../../platform/pages/ui/facts.view.js';
import { Done, FormButton, Problem } from '../../../platform/pages/ui/form.view.js';
import { Nothing } from '../../../platform/pages/ui/next-step.view.js';
import { History, type ShownHistory } from '../../../platform/pages/ui/history.view.js';
import {
  amounts,
  type Column,
  numbers,
  Table,
  times,
} from '../../../platform/pages/ui/table.view.js';
import {
  DateTime,
  Money,
  moneyOrNone,
  numberText,
} from '../../../platform/pages/ui/values.view.js';
import {
  MAX_COUNTED,
  type SubscriptionPayment,
  type SubscriptionPayments,
} from '../../transactions/index.js';
import type { ListedPayment } from './recurring-list.model.js';
import { customerOf, paymentsText, PaymentBadge } from './subscription-parts.view.js';

interface ShownFrom {
  /** Address of the list that the user comes from. */
  readonly back: string;
  readonly history: ShownHistory;
  /** True after the subscription was canceled on the pages. */
  readonly isCanceled: boolean;
}

export function subscriptionPage(
  payment: ListedPayment,
  made: SubscriptionPayments,
  { back, history, isCanceled }: ShownFrom,
) {
  const { status, pre_key, product_name } = payment;
  return pageOf(
    {
      title: `Subscription of ${customerOf(payment)}`,
      back: [back, back === SUBSCRIPTIONS_PATH ? 'All subscriptions' : 'Back to the list'],
      heading: [customerOf(payment), ' ', <PaymentBadge {...payment} />],
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
      <History {...history} />
    </>,
  );
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
          ['Key', <CopiedText id="subscription-key" label="Copy the key" text={payment.pre_key} />],
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
  const email = payment.contact_email || payment.sender_email || payment.processor_email;
  return (
    <Panel id="customer-title" title="Customer">
      {email !== '' && (
        <LinkLine href={customerPath(email)}>This customer’s sales and subscriptions</LinkLine>
      )}
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
        empty={
          <Nothing next={[SUBSCRIPTIONS_PATH, 'All subscriptions']}>No transactions yet.</Nothing>
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
