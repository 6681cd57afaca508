import { Injectable } from '@nestjs/common';
import { MAX_SEARCHED, MIN_SEARCHED, type SearchPage, SearchService } from './search.service.js';
import { pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import {
  personPath,
  SEARCH_PATH,
  transactionPath,
  withQuery,
} from '../../../platform/pages/paths.js';
import { customerName, Status, withAside } from '../lists/sales.view.js';
import { ROLES, type Role } from '../ranges/report-query.js';
import { oneOf, type SignedInVisit } from '../../../platform/pages/visit.js';
import { LinkLine, Neighbours } from '../../../platform/pages/ui/facts.view.js';
import { Problem } from '../../../platform/pages/ui/form.view.js';
import { amounts, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { DateTime } from '../../../platform/pages/ui/values.view.js';

const SEARCH = { title: 'Search', isWide: true } as const;

interface SearchResult {
  readonly role: Role;
  readonly page: SearchPage;
}

/**
 * Serves the search of the header. Its text is personal data and appears in no log, because logs
 * contain only paths.
 */
@Injectable()
export class SearchPages implements Pages {
  constructor(private readonly sales: SearchService) {}

  addTo(routes: PageRoutes): void {
    routes.get('/search', (visit) => this.search(visit), { operation: 'page.search' });
  }

  private async search(visit: SignedInVisit): Promise<PageAnswer> {
    const text = visit.query('q').trim();
    if (text === '') return pageOf(SEARCH, <Help />);
    if (text.length > MAX_SEARCHED) {
      const problem = `No transaction id and no e-mail has more than ${MAX_SEARCHED} characters.`;
      return pageOf({ ...SEARCH, failure: 'invalid_parameters' }, <Problem>{problem}</Problem>);
    }
    const only = oneOf(ROLES, visit.query('as'));
    const cursor = only === null ? null : visit.query('cursor') || null;
    const results = await Promise.all(
      // A further page shows the results of one role only.
      (only === null ? ROLES : [only]).map(async (role) => {
        const viewer = { role, user_id: visit.user.id };
        return { role, page: await this.sales.search({ viewer, text, cursor }) };
      }),
    );
    // Affiliates do not see customers.
    const reads = results
      .filter((result) => result.role === 'vendor')
      .flatMap(({ page }) => [...page.byId, ...page.byEmail])
      .map(({ transaction_id }) => ({ record_key: transaction_id, records: 1 }));
    return { ...searchPage(text, results), reads };
  }
}

function searchPage(text: string, results: readonly SearchResult[]) {
  const found = results.filter(
    ({ page }) => page.byId.length + page.byEmail.length > 0 || page.next !== null,
  );
  const hasMoreIds = results.some(({ page }) => page.hasMoreIds);
  return pageOf(
    SEARCH,
    <>
      <p>
        {found.length === 0 ? 'No results for' : 'Results for'}{' '}
        <strong class="verbatim">{text}</strong>
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
        <LinkLine href={personPath(text)}>
          Personal data of this customer: find, download, erase
        </LinkLine>
      )}
    </>,
  );
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
  // Affiliates do not see customers.
  const columns = [transactions(text), PRODUCT, ...(isOwn ? [CUSTOMER] : []), STATUS, AMOUNT];
  return (
    <section aria-label={isOwn ? 'Sales of my products' : 'Sales I referred'}>
      {byId.length > 0 && (
        <>
          <h2>{isOwn ? 'By transaction id' : 'By transaction id, as an affiliate'}</h2>
          <Table label="By transaction id" columns={columns} rows={byId} />
        </>
      )}
      {byEmail.length > 0 && (
        <>
          <h2>By the customer’s e-mail</h2>
          <Table label="By the customer’s e-mail" columns={columns} rows={byEmail} />
        </>
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

type FoundSale = SearchPage['byId'][number];

function transactions(text: string): Column<FoundSale> {
  const back = withQuery(SEARCH_PATH, { q: text });
  return {
    name: 'Transaction',
    cell: ({ transaction_id, sale_date }) =>
      withAside(
        <a href={transactionPath(transaction_id, back)}>{transaction_id}</a>,
        <>
          sold <DateTime at={sale_date} />
        </>,
      ),
  };
}
const PRODUCT: Column<FoundSale> = { name: 'Product', cell: ({ product_name }) => product_name };
const CUSTOMER: Column<FoundSale> = {
  name: 'Customer',
  cell: (sale) => withAside(customerName(sale), sale.customer_email),
};
const STATUS: Column<FoundSale> = {
  name: 'Status',
  cell: ({ status }) => <Status of={status} />,
};
const AMOUNT = amounts<FoundSale>('Amount', ({ amount }) => amount);
