import {
  RECURRING_LISTS,
  type ListedPayment,
  type RecurringList,
  type RecurringPage,
  type UpcomingPayments,
} from '../../modules/recurring/list/recurring-list.model.js';
import type { RecurringPayment } from '../../modules/recurring/recurring-payment.model.js';
import type { Page } from '../http/page-answer.js';
import { Money, numberText } from '../reports/figures.view.js';
import { DateTime } from '../ui/date-time.view.js';
import { Table, type Column } from '../ui/table.view.js';
import { StatusBadge } from './status-badge.view.js';
import { listPath, subscriptionPath } from './subscription-paths.js';
import { Upcoming } from './upcoming.view.js';

const NAMES: Readonly<Record<RecurringList, string>> = {
  active: 'Active',
  canceled: 'Canceled',
  completed: 'Completed',
  other: 'Other',
};
const ORDERS: Readonly<Record<RecurringList, string>> = {
  active: 'next payment first',
  canceled: 'newest first',
  completed: 'newest first',
  other: 'newest first',
};

export interface ShownSubscriptions {
  readonly list: RecurringList;
  readonly counts: Readonly<Record<RecurringList, number>>;
  readonly page: RecurringPage;
  /** Null except on the first page of active subscriptions. */
  readonly upcoming: UpcomingPayments | null;
}

export function subscriptionsPage({ list, counts, page, upcoming }: ShownSubscriptions): Page {
  const { payments } = page;
  const name = `${NAMES[list]} subscriptions`;
  return {
    kind: 'page',
    title: 'Subscriptions',
    isWide: true,
    view: (
      <>
        <h1>Subscriptions</h1>
        <p>Recurring payments that customers agreed to.</p>
        <Lists list={list} counts={counts} />
        {upcoming !== null && <Upcoming upcoming={upcoming} />}
        <h2>
          {name}, {ORDERS[list]}
        </h2>
        {payments.length === 0 ? (
          <p class="empty">None.</p>
        ) : (
          <Table isWide label={name} columns={columnsOf(list)} rows={payments} />
        )}
        <Pages list={list} page={page} />
      </>
    ),
  };
}

function Lists({ list, counts }: Pick<ShownSubscriptions, 'list' | 'counts'>) {
  return (
    <nav class="tabs" aria-label="Status">
      {RECURRING_LISTS.filter((each) => isShown(each, list, counts[each])).map((each) => (
        <a href={listPath(each)} aria-current={each === list ? 'page' : undefined}>
          {NAMES[each]} ({numberText(counts[each])})
        </a>
      ))}
    </nav>
  );
}

/**
 * Hides the list of other statuses if it is empty, because few vendors have subscriptions with
 * another status.
 */
function isShown(each: RecurringList, list: RecurringList, count: number): boolean {
  return each !== 'other' || each === list || count > 0;
}

function Pages({ list, page: { previous, next } }: Pick<ShownSubscriptions, 'list' | 'page'>) {
  return (
    <nav class="pages" aria-label="Pages">
      {previous !== null && (
        <a class="button quiet" href={listPath(list, previous)} rel="prev">
          Previous page
        </a>
      )}
      {next !== null && (
        <a class="button quiet" href={listPath(list, next)} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
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

function columnsOf(list: RecurringList): Column<ListedPayment>[] {
  return [
    {
      name: 'Customer',
      cell: (payment) => <a href={subscriptionPath(payment.pre_key)}>{customerOf(payment)}</a>,
    },
    { name: 'Product', cell: ({ product_name }) => product_name },
    { name: 'Price', isNumber: true, cell: ({ price }) => <Money cents={price} /> },
    { name: 'Payments made', isNumber: true, cell: paymentsText },
    list === 'active'
      ? { name: 'Next payment', cell: ({ next_date }) => <DateTime at={next_date} /> }
      : { name: 'Last payment', cell: ({ last_date }) => <DateTime at={last_date} /> },
    { name: 'Since', cell: ({ created }) => <DateTime at={created} /> },
    { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  ];
}
