import type { ComponentChildren } from 'preact';
import {
  AFFILIATES_PATH,
  customersNamed,
  LIST_PATH,
  SEARCH_PATH,
  withQuery,
} from '../../../platform/pages/paths.js';
import { LinkLine, Neighbours, Panel } from '../../../platform/pages/ui/facts.view.js';
import { Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import type { Product } from '../../products/index.js';
import type { Affiliate } from '../affiliates/affiliate-figures.model.js';
import { CUSTOMER_COLUMNS, SUBSCRIPTION_COLUMNS } from '../customers/customers.view.js';
import type { Role } from '../ranges/report-query.js';
import { saleColumns } from './found-sales.view.js';
import type { FoundGroup, SearchGroups } from './search-groups.service.js';
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
  const words = hasMore ? `${numberText(count)} or more` : numberText(count);
  return (
    <Panel id={`found-${title.toLowerCase()}`} title={`${title}, ${words}`}>
      <Table label={title} columns={columns} rows={items} />
      {(hasMore || count > items.length) && (
        <More href={all}>{hasMore ? 'Show all' : `Show all ${numberText(count)}`}</More>
      )}
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

const AFFILIATE: readonly Column<Affiliate>[] = [
  {
    name: 'Affiliate',
    cell: ({ id, name }) => <a href={`${AFFILIATES_PATH}/${id}`}>{name}</a>,
  },
  { name: 'Id', narrow: 'main', cell: ({ id }) => id },
];

const PRODUCT_LINK: readonly Column<Product>[] = [
  {
    name: 'Product',
    cell: ({ id, name }) => (
      <a href={withQuery(LIST_PATH, { range: 'all-time', product: String(id), as: 'vendor' })}>
        {name || id}
      </a>
    ),
  },
  { name: 'Id', narrow: 'main', cell: ({ id }) => id },
];

/** Shows the sales that a search found for one role of the user. */
export function FoundSales({
  text,
  role,
  page: { byId, byEmail, next },
}: {
  readonly text: string;
  readonly role: Role;
  readonly page: SearchPage;
}) {
  const isOwn = role === 'vendor';
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
      {next !== null && (
        <Neighbours
          label={isOwn ? 'Pages' : 'Pages, as an affiliate'}
          next={{
            words: 'More',
            href: withQuery(SEARCH_PATH, { q: text, as: role, cursor: next }),
          }}
        />
      )}
    </section>
  );
}
