import { endOf } from '../../../ledger/records/recurring-status.js';
import { pageOf } from '../../../platform/pages/page-answer.js';
import {
  customerPath,
  CUSTOMERS_PATH,
  personPath,
  searchPath,
  subscriptionPath,
} from '../../../platform/pages/paths.js';
import { CopiedText } from '../../../platform/pages/resource.view.js';
import { Actions, LinkLine, Panel } from '../../../platform/pages/ui/facts.view.js';
import { Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import { sortedBy } from '../../../platform/pages/ui/sorting.view.js';
import {
  amounts,
  type Column,
  counts,
  days,
  Table,
} from '../../../platform/pages/ui/table.view.js';
import { countText, Email, Money, numberText } from '../../../platform/pages/ui/values.view.js';
import { dayOf, todayInUtc } from '../../../platform/values/time.js';
import { dayText } from '../../../platform/pages/ui/day-text.js';
import { type ListedPayment, PaymentBadge } from '../../recurring/index.js';
import { dateOfSale } from '../sale/found-sales.view.js';
import type { CustomerSale, CustomerSales } from '../sale/search.service.js';
import { Status } from '../../transactions/index.js';
import { withAside, withLine } from '../lists/sales.view.js';
import type { Customer, CustomerName } from './customer.model.js';

/** Returns the name of a customer, or the e-mail address if there is none. */
export function nameOf({ first_name, last_name, email }: CustomerName): string {
  return `${first_name} ${last_name}`.trim() || email;
}

/** The columns of a list of customers. */
export const CUSTOMER_COLUMNS: readonly Column<Customer>[] = [
  {
    name: 'Customer',
    cell: (customer) =>
      withLine(
        <a href={customerPath(customer.email)}>{nameOf(customer)}</a>,
        <Email address={customer.email} />,
      ),
  },
  amounts('Paid', ({ gross }) => gross),
  { ...counts('Sales', ({ sales }) => sales), narrow: 'none' },
  { ...amounts('Refunded', ({ refunded }) => refunded), narrow: 'none' },
  {
    ...counts('Active subscriptions', ({ active_recurring_payments }) => active_recurring_payments),
    narrow: 'none',
  },
  { ...days('Last sale', ({ last_sale_date }) => last_sale_date), narrow: 'none' },
];

export function customerPage(
  customer: Customer,
  sales: CustomerSales,
  subscriptions: readonly ListedPayment[],
) {
  const { email } = customer;
  return pageOf(
    {
      title: nameOf(customer),
      back: [CUSTOMERS_PATH, 'All customers'],
    },
    <>
      <p class="subline">
        <CopiedText id="customer-email" label="Copy the e-mail" text={email} isCode={false} />
      </p>
      <Totals customer={customer} subscriptions={subscriptions} />
      <Subscriptions subscriptions={subscriptions} />
      <Panel id="sales-title" title="Sales, newest first">
        <Table
          label="Sales of this customer"
          columns={salesColumns(customerPath(email))}
          rows={sales.sales}
          empty="No sales."
        />
        {sales.hasMore && (
          <LinkLine href={searchPath(email)}>
            All sales of this customer ({numberText(customer.transactions)})
          </LinkLine>
        )}
      </Panel>
      <Actions>
        <a class="button quiet" href={personPath(email, '.json')}>
          Export the data
        </a>
        <a class="button quiet" href={personPath(email)}>
          Personal data
        </a>
        <a class="button danger" href={personPath(email, '/erase')}>
          Erase…
        </a>
      </Actions>
    </>,
  );
}

/** @param back address of the customer, to which the page of a sale leads back */
function salesColumns(back: string): Column<CustomerSale>[] {
  return [
    {
      ...sortedBy('Date', 'descending'),
      cell: dateOfSale(back),
    },
    {
      name: 'Product',
      narrow: 'bare',
      cell: ({ product_name, transaction_id }) => withAside(product_name, transaction_id),
    },
    { ...amounts('Amount', ({ amount }) => amount), narrow: 'main' },
    {
      ...amounts('Your earnings', ({ earned }) => earned),
      narrow: 'fact',
      shortName: 'for you',
    },
    { name: 'Status', narrow: 'bare', cell: ({ status }) => <Status of={status} /> },
  ];
}

function Totals({
  customer,
  subscriptions,
}: {
  readonly customer: Customer;
  readonly subscriptions: readonly ListedPayment[];
}) {
  const { sales, gross, refunded, seller_earnings } = customer;
  return (
    <Figures label="Totals of this customer" isBig>
      <Figure name="Paid" note={[countText(sales, 'sale'), <SaleDays {...customer} />]}>
        <Money cents={gross} />
      </Figure>
      <Figure name="Your earnings" note="after refunds, fees and commissions">
        <Money cents={seller_earnings} />
      </Figure>
      {refunded !== 0n && (
        <Figure name="Refunded">
          <Money cents={refunded} />
        </Figure>
      )}
      <Figure name="Active subscriptions" note={nextPaymentText(subscriptions)}>
        {numberText(customer.active_recurring_payments)}
      </Figure>
    </Figures>
  );
}

/** Says when the customer pays next; undefined if nothing is due. */
function nextPaymentText(subscriptions: readonly ListedPayment[]): string | undefined {
  const [next] = subscriptions
    .flatMap(({ status, next_date }) =>
      endOf(status) === null && next_date !== null ? [next_date] : [],
    )
    .toSorted();
  if (next === undefined) return undefined;
  const day = dayOf(next);
  return day < todayInUtc() ? `payment of ${dayText(day)} is late` : `next payment ${dayText(day)}`;
}

/** Says when the customer bought something, for the first time and for the last time. */
function SaleDays({ first_sale_date: first, last_sale_date: last }: Customer) {
  if (first === null || last === null) return null;
  if (dayOf(first) === dayOf(last)) return <> on {dayText(dayOf(first))}</>;
  return (
    <>
      , {dayText(dayOf(first))} to {dayText(dayOf(last))}
    </>
  );
}

function Subscriptions({ subscriptions }: { readonly subscriptions: readonly ListedPayment[] }) {
  if (subscriptions.length === 0) return null;
  return (
    <Panel id="subscriptions-title" title="Subscriptions">
      <Table
        label="Subscriptions of this customer"
        columns={[...SUBSCRIPTION_COLUMNS, CANCEL]}
        rows={subscriptions}
      />
    </Panel>
  );
}

/** The columns of a short list of subscriptions. */
export const SUBSCRIPTION_COLUMNS: readonly Column<ListedPayment>[] = [
  {
    name: 'Subscription',
    cell: ({ pre_key, product_name }) =>
      withLine(<a href={subscriptionPath(pre_key)}>{product_name || pre_key}</a>, pre_key),
  },
  amounts('Price', ({ price }) => price),
  days('Next payment', ({ status, next_date }) => (endOf(status) === null ? next_date : null)),
  { name: 'Status', cell: (payment) => <PaymentBadge {...payment} /> },
];

const CANCEL: Column<ListedPayment> = {
  name: 'Action',
  isZero: ({ status }) => endOf(status) !== null,
  cell: ({ pre_key, status }) =>
    endOf(status) === null ? (
      <a class="dangerous" href={subscriptionPath(pre_key, '/cancel')}>
        Cancel…
      </a>
    ) : (
      '–'
    ),
};
