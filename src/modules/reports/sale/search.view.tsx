import type { ComponentChildren } from 'preact';
import {
  AFFILIATES_PATH,
  customersNamed,
  LIST_PATH,
  SEARCH_PATH,
  withQuery,
} from '../../../platform/pages/paths.js';
import { LinkLine, Neighbours, Panel } from '../../../platform/pages/ui/facts.view.js';
import { amounts, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import type { Product } from '../../products/index.js';
import { CUSTOMER_COLUMNS, SUBSCRIPTION_COLUMNS } from '../customers/customers.view.js';
import type { Role } from '../ranges/report-query.js';
import { withLine } from '../lists/sales.view.js';
import { saleColumns } from './found-sales.view.js';
import type { FoundAffiliate, FoundGroup, SearchGroups } from './search-groups.service.js';
import type { SearchPage } from './search.service.js';

/** Returns whether a search found anything beside sales. */
export function hasGroups(groups: SearchGroups): boolean {
  const { customers, affiliates, products, subscriptions } = groups;
  const found = [customers.items, affiliates.items, products.items, subscriptions.items];
  return found.some(({ length }) => length > 0);
}

/** Shows what was found beside sales, with a heading for each kind. */
export function Groups({ text, groups }: { readonly text: string; readonly groups: SearchGroups }) {
  const { customers, affiliates, products, subscriptions } = groups;
  // The list of customers finds names. Those with an e-mail address follow with their sales.
  const all = text.includes('@') ? null : customersNamed(text);
  return (
    <>
      <Group title="Customers" columns={CUSTOMER_COLUMNS} group={customers} all={all} />
      <Group
        title="Subscriptions"
        columns={SUBSCRIPTION_COLUMNS}
        group={subscriptions}
        all={null}
      />
      <Group
        title="Affiliates"
        columns={AFFILIATE}
        group={affiliates}
        all={withQuery(AFFILIATES_PATH, { name: text })}
      />
      <Group title="Products" columns={PRODUCT_LINK} group={products} all={null} />
    </>
  );
}

function Group<Item>({
  title,
  columns,
  group: { items, count, hasMore },
  all,
}: {
  readonly title: string;
  readonly columns: readonly Column<Item>[];
  readonly group: FoundGroup<Item>;
  /** Address of the list of all; null if there is none. */
  readonly all: string | null;
}) {
  if (items.length === 0) return null;
  const [kind, words] = [title.toLowerCase(), `${hasMore ? 'more than ' : ''}${numberText(count)}`];
  return (
    <Panel id={`found-${kind}`} title={`${title} (${words})`}>
      <Table label={title} columns={columns} rows={items} />
      {(hasMore || count > items.length) && <More href={all}>Show all {kind}</More>}
    </Panel>
  );
}

function More({
  href,
  children,
}: {
  readonly href: string | null;
  readonly children: ComponentChildren;
}) {
  if (href !== null) return <LinkLine href={href}>{children}</LinkLine>;
  return <p class="hint">There are more. Type more of the name or the id.</p>;
}

const AFFILIATE: readonly Column<FoundAffiliate>[] = [
  {
    name: 'Affiliate',
    cell: ({ id, name }) => withLine(<a href={`${AFFILIATES_PATH}/${id}`}>{name}</a>, ['id ', id]),
  },
  amounts('Unpaid', ({ unpaid_total }) => unpaid_total),
];

const PRODUCT_LINK: readonly Column<Product>[] = [
  {
    name: 'Product',
    cell: ({ id, name }) => {
      const all = { range: 'all-time', product: String(id), as: 'vendor' };
      return withLine(<a href={withQuery(LIST_PATH, all)}>{name || id}</a>, ['id ', id]);
    },
  },
];

/** Shows the sales that a search found for one role of the user. */
export function FoundSales({
  text,
  role,
  page: { byId, byEmail, next },
  isCut,
}: {
  readonly text: string;
  readonly role: Role;
  readonly page: SearchPage;
  /** True if a list of its own has more of these sales. */
  readonly isCut: boolean;
}) {
  const isOwn = role === 'vendor';
  const list = { q: text, as: role };
  const columns = saleColumns(withQuery(SEARCH_PATH, { q: text }), isOwn);
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
