import type { ComponentChildren } from 'preact';
import {
  MAX_SEARCHED,
  MIN_SEARCHED,
  type FoundSale,
  type SearchPage,
} from '../../modules/reports/search/search.model.js';
import { STATUS_OF_3 } from '../../modules/transactions/status-words.model.js';
import { personPath } from '../people/person-path.js';
import type { Page } from '../http/page-answer.js';
import { Money } from '../reports/figures.view.js';
import type { Role } from '../reports/report-query.js';
import { transactionPath } from '../transactions/transaction-path.js';
import { DateTime } from '../ui/date-time.view.js';
import { Problem } from '../ui/form.view.js';
import { Table, type Column } from '../ui/table.view.js';
import { SEARCH_PATH } from './search-form.view.js';

export interface SearchResult {
  readonly role: Role;
  readonly page: SearchPage;
}

export function emptySearchPage(): Page {
  return pageOf(<Help />);
}

export function tooLongPage(): Page {
  const problem = `No transaction id and no e-mail has more than ${MAX_SEARCHED} characters.`;
  return { ...pageOf(<Problem>{problem}</Problem>), failure: 'invalid_parameters' };
}

export function searchPage(text: string, results: readonly SearchResult[]): Page {
  const found = results.filter(
    ({ page }) => page.byId.length + page.byEmail.length > 0 || page.next !== null,
  );
  const hasMoreIds = results.some(({ page }) => page.hasMoreIds);
  return pageOf(
    <>
      <p>
        {found.length === 0 ? 'No sale of yours begins with' : 'Sales that begin with'}{' '}
        <strong class="searched">{text}</strong>
      </p>
      {text.length < MIN_SEARCHED && (
        <p>
          Only a whole transaction id was searched for. Type at least {MIN_SEARCHED} characters to
          find what begins with them.
        </p>
      )}
      {hasMoreIds && (
        <p>
          Very many transaction ids begin like this, so not all were searched. Type more characters
          of the id.
        </p>
      )}
      {found.map((result) => (
        <Found text={text} {...result} />
      ))}
      {found.length === 0 && <Help />}
      {text.includes('@') && (
        <p>
          <a href={personPath(text)}>Personal data of this customer: find, download, erase</a>
        </p>
      )}
    </>,
  );
}

function pageOf(view: ComponentChildren): Page {
  return {
    kind: 'page',
    title: 'Search',
    isWide: true,
    view: (
      <>
        <h1>Search</h1>
        {view}
      </>
    ),
  };
}

function Help() {
  return (
    <p>
      Type a transaction id as it is written, or a customer’s e-mail in upper or lower case. The
      first {MIN_SEARCHED} characters are enough. What you sold as an affiliate is found by its
      transaction id only.
    </p>
  );
}

function Found({ text, role, page }: SearchResult & { readonly text: string }) {
  const { byId, byEmail, next } = page;
  const isOwn = role === 'vendor';
  return (
    <section aria-label={isOwn ? 'Sales of my products' : 'Sales I made as an affiliate'}>
      {byId.length > 0 && (
        <>
          <h2>{isOwn ? 'By transaction id' : 'By transaction id, as an affiliate'}</h2>
          <Sales role={role} label="By transaction id" sales={byId} />
        </>
      )}
      {byEmail.length > 0 && (
        <>
          <h2>By the customer’s e-mail</h2>
          <Sales role={role} label="By the customer’s e-mail" sales={byEmail} />
        </>
      )}
      {next !== null && (
        <nav class="pages" aria-label={isOwn ? 'Pages' : 'Pages, as an affiliate'}>
          <a class="button quiet" href={morePath(text, role, next)} rel="next">
            More
          </a>
        </nav>
      )}
    </section>
  );
}

function Sales({
  role,
  label,
  sales,
}: {
  readonly role: Role;
  readonly label: string;
  readonly sales: readonly FoundSale[];
}) {
  const columns = [SOLD, PRODUCT, ...(role === 'vendor' ? [CUSTOMER] : []), STATUS, AMOUNT];
  return <Table isWide label={label} columns={columns} rows={sales} />;
}

const SOLD: Column<FoundSale> = {
  name: 'Transaction',
  cell: ({ transaction_id, sale_date }) => (
    <>
      <a href={transactionPath(transaction_id)}>{transaction_id}</a>
      <div class="aside">
        sold <DateTime at={sale_date} />
      </div>
    </>
  ),
};

const PRODUCT: Column<FoundSale> = { name: 'Product', cell: ({ product_name }) => product_name };
const CUSTOMER: Column<FoundSale> = {
  name: 'Customer',
  cell: ({ customer_first_name, customer_last_name, customer_email }) => (
    <>
      {customer_first_name} {customer_last_name}
      <div class="aside">{customer_email}</div>
    </>
  ),
};
const STATUS: Column<FoundSale> = { name: 'Status', cell: ({ status }) => STATUS_OF_3[status] };
const AMOUNT: Column<FoundSale> = {
  name: 'Amount',
  isNumber: true,
  cell: ({ amount }) => <Money cents={amount} />,
};

function morePath(q: string, role: Role, cursor: string): string {
  return `${SEARCH_PATH}?${new URLSearchParams({ q, as: role, cursor }).toString()}`;
}
