import type { ComponentChildren, VNode } from 'preact';
import {
  AFFILIATES_PATH,
  customerPath,
  customersNamed,
  LIST_PATH,
  SEARCH_PATH,
  subscriptionPath,
  withQuery,
} from '../../../platform/pages/paths.js';
import { LinkLine, Neighbours, Panel } from '../../../platform/pages/ui/facts.view.js';
import { amounts, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import type { Product } from '../../products/index.js';
import type { ListedPayment } from '../../recurring/index.js';
import type { Customer } from '../customers/customer.model.js';
import { CUSTOMER_COLUMNS, nameOf, SUBSCRIPTION_COLUMNS } from '../customers/customers.view.js';
import type { Role } from '../ranges/report-query.js';
import { withLine } from '../lists/sales.view.js';
import { saleColumns } from './found-sales.view.js';
import { Marked, MarkedEmail } from './marked.view.js';
import type { FoundAffiliate, FoundGroup, SearchGroups } from './search-groups.service.js';
import type { SearchPage } from './search.service.js';

/** Returns whether a search found anything beside sales. */
export function hasGroups(groups: SearchGroups): boolean {
  const { customers, affiliates, products, subscriptions } = groups;
  const found = [customers.items, affiliates.items, products.items, subscriptions.items];
  return found.some(({ length }) => length > 0);
}

/**
 * Shows what was found beside sales, with a heading for each kind.
 * @param salesByEmail address of all sales by e-mail; null if the customers shown lead to all
 */
export function Groups({
  text,
  groups,
  salesByEmail,
}: {
  readonly text: string;
  readonly groups: SearchGroups;
  readonly salesByEmail: string | null;
}) {
  const { customers, affiliates, products, subscriptions } = groups;
  const [allCustomers, moreSales] = linksOfCustomers(text, customers, salesByEmail);
  return (
    <>
      <Group
        title="Customers"
        columns={customerColumns(text)}
        group={customers}
        action={allCustomers}
      >
        {moreSales}
      </Group>
      <Group title="Subscriptions" columns={subscriptionColumns(text)} group={subscriptions}>
        {isPart(subscriptions) && <TypeMore />}
      </Group>
      <Group
        title="Affiliates"
        columns={affiliateColumns(text)}
        group={affiliates}
        action={
          isPart(affiliates) && (
            <ShowAll href={withQuery(AFFILIATES_PATH, { name: text })}>affiliates</ShowAll>
          )
        }
      />
      <Group title="Products" columns={productColumns(text)} group={products}>
        {isPart(products) && <TypeMore />}
      </Group>
    </>
  );
}

/**
 * Returns the link to all customers, and what is below them. Customers that were found by their
 * e-mail only have no list, but their sales have one.
 */
function linksOfCustomers(
  text: string,
  customers: SearchGroups['customers'],
  salesByEmail: string | null,
): readonly [action: VNode | false, below: VNode | false] {
  const isNamed = isPart(customers) && customers.isNamed;
  const words = (
    <>
      e-mail beginning with <Quoted text={text} />
    </>
  );
  if (!isNamed) {
    return [
      salesByEmail !== null && <ShowAll href={salesByEmail}>sales by {words}</ShowAll>,
      false,
    ];
  }
  return [
    <ShowAll href={customersNamed(text)}>
      customers named <Quoted text={text} />
    </ShowAll>,
    salesByEmail !== null && (
      <LinkLine class="hint" href={salesByEmail}>
        Sales by {words}
      </LinkLine>
    ),
  ];
}

function Quoted({ text }: { readonly text: string }) {
  return (
    <>
      “<span class="verbatim">{text}</span>”
    </>
  );
}

/** Leads to all results of a group. @param children says of what, for screen readers */
function ShowAll({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}) {
  return (
    <a href={href}>
      Show all<span class="unseen"> {children}</span>
    </a>
  );
}

/** Returns whether there are more results than those that are shown. */
export function isPart({ items, count, hasMore }: FoundGroup<unknown>): boolean {
  return hasMore || count > items.length;
}

function Group<Item>({
  title,
  columns,
  group,
  action = false,
  children,
}: {
  readonly title: string;
  readonly columns: readonly Column<Item>[];
  readonly group: FoundGroup<Item>;
  /** Link to all of them; false if all are shown, or if no page has them. */
  readonly action?: VNode | false;
  /** Says what to do to see the others. */
  readonly children?: ComponentChildren;
}) {
  const { items, count, hasMore } = group;
  if (items.length === 0) return null;
  const heading = (
    <>
      {title}{' '}
      <span class="aside">
        {isPart(group) && `${items.length} of `}
        {numberText(count)}
        {hasMore && <OrMore />}
      </span>
    </>
  );
  return (
    <Panel
      id={`found-${title.toLowerCase()}`}
      title={heading}
      action={action === false ? null : action}
    >
      <Table label={title} columns={columns} rows={items} />
      {children}
    </Panel>
  );
}

/** Says that a count is the least one: with a sign, and in words for screen readers. */
function OrMore() {
  return (
    <>
      <span aria-hidden="true">+</span>
      <span class="unseen"> or more</span>
    </>
  );
}

function TypeMore() {
  return <p class="hint">There are more. Type more of the name or the id.</p>;
}

/** Returns the columns of customers, whose last sale a phone shows, too: names may be equal. */
function customerColumns(sought: string): Column<Customer>[] {
  const [, ...figures] = CUSTOMER_COLUMNS;
  return [
    {
      name: 'Customer',
      cell: (customer) =>
        withLine(
          <a href={customerPath(customer.email)}>
            <Marked text={nameOf(customer)} sought={sought} />
          </a>,
          <MarkedEmail text={customer.email} sought={sought} />,
        ),
    },
    ...figures.map((column): Column<Customer> =>
      column.name === 'Last sale' ? { ...column, narrow: 'fact' } : column,
    ),
  ];
}

function subscriptionColumns(sought: string): Column<ListedPayment>[] {
  const [, ...others] = SUBSCRIPTION_COLUMNS;
  return [
    {
      name: 'Subscription',
      cell: ({ pre_key, product_name }) => {
        const key = <Marked text={pre_key} sought={sought} />;
        return withLine(<a href={subscriptionPath(pre_key)}>{product_name || key}</a>, key);
      },
    },
    ...others,
  ];
}

function affiliateColumns(sought: string): Column<FoundAffiliate>[] {
  return [
    {
      name: 'Affiliate',
      cell: ({ id, name }) => {
        const link = (
          <a href={`${AFFILIATES_PATH}/${id}`}>
            <Marked text={name} sought={sought} />
          </a>
        );
        const key = String(id);
        return name === key ? link : withLine(link, <Marked text={key} sought={sought} />);
      },
    },
    amounts('Unpaid', ({ unpaid_total }) => unpaid_total),
  ];
}

function productColumns(sought: string): Column<Product>[] {
  return [
    {
      name: 'Product',
      cell: ({ id, name }) => {
        const all = { range: 'all-time', product: String(id), as: 'vendor' };
        return (
          <a href={withQuery(LIST_PATH, all)}>
            {name === '' ? id : <Marked text={name} sought={sought} />}
          </a>
        );
      },
    },
    { name: 'Id', narrow: 'fact', cell: ({ id }) => id },
  ];
}

/** Returns whether the page has anything on the sales of a role. */
export function hasSales({ page: { byId, byEmail, next }, isCut }: FoundOfRole): boolean {
  return byId.length + byEmail.length > 0 || (next !== null && !isCut);
}

interface FoundOfRole {
  readonly role: Role;
  readonly page: SearchPage;
  /** True if a list of its own has more of these sales. */
  readonly isCut: boolean;
}

/** Shows the sales that a search found for one role of the user. */
export function FoundSales({
  text,
  role,
  page: { byId, byEmail, next },
  isCut,
}: FoundOfRole & { readonly text: string }) {
  const isOwn = role === 'vendor';
  const list = { q: text, as: role };
  const columns = saleColumns(text, withQuery(SEARCH_PATH, { q: text }), isOwn);
  return (
    <section
      id={`sales-as-${role}`}
      aria-label={isOwn ? 'Sales of my products' : 'Sales I referred'}
    >
      {byId.length > 0 && (
        <Panel
          id={`by-id-as-${role}`}
          title={isOwn ? 'Sales by id' : 'Sales by id, as an affiliate'}
        >
          <Table label="Sales by id" columns={columns} rows={byId} />
        </Panel>
      )}
      {byEmail.length > 0 && (
        <Panel id="by-email" title="Sales by the customer’s e-mail">
          <Table label="Sales by the customer’s e-mail" columns={columns} rows={byEmail} />
        </Panel>
      )}
      {isCut && (
        <LinkLine href={withQuery(SEARCH_PATH, list)}>
          {isOwn ? 'Show all sales' : 'Show all sales, as an affiliate'}
        </LinkLine>
      )}
      {next !== null && !isCut && (
        <Neighbours
          label={isOwn ? 'Pages' : 'Pages, as an affiliate'}
          next={{ words: 'More', href: withQuery(SEARCH_PATH, { ...list, cursor: next }) }}
        />
      )}
    </section>
  );
}
