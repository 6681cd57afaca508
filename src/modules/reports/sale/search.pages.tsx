import { Injectable } from '@nestjs/common';
import { pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { personPath, SEARCH_PATH, searchPath, withQuery } from '../../../platform/pages/paths.js';
import { oneOf, type SignedInVisit } from '../../../platform/pages/visit.js';
import { LinkLine } from '../../../platform/pages/ui/facts.view.js';
import { Problem } from '../../../platform/pages/ui/form.view.js';
import { ROLES, type Role } from '../ranges/report-query.js';
import { type SearchGroups, SearchGroupsService } from './search-groups.service.js';
import type { FoundSale } from './found-sales.view.js';
import { MAX_SEARCHED, MIN_SEARCHED, type SearchPage, SearchService } from './search.service.js';
import { FoundSales, Groups, hasGroups, hasSales, isPart } from './search.view.js';

const SEARCH = { title: 'Search' } as const;

/** Number of sales of each kind that are shown beside what else was found. */
const FEW = 5;

interface SearchResult {
  readonly role: Role;
  /** The part of the results that the page shows. */
  readonly page: SearchPage;
  /** True if a list of its own has more of these sales. */
  readonly isCut: boolean;
  /** True if the customers that are shown lead to sales by e-mail, and not to all of them. */
  readonly hasMoreByEmail: boolean;
}

/**
 * Serves the search of the header. Its text is personal data and appears in no log, because logs
 * contain only paths.
 */
@Injectable()
export class SearchPages implements Pages {
  constructor(
    private readonly sales: SearchService,
    private readonly groups: SearchGroupsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/search', (visit) => this.search(visit), { operation: 'page.search' });
  }

  private async search(visit: SignedInVisit): Promise<PageAnswer> {
    const text = visit.query('q').trim();
    if (text === '') return this.examples(visit);
    if (text.length > MAX_SEARCHED) {
      const problem = `No id, name and e-mail has more than ${MAX_SEARCHED} characters.`;
      return pageOf({ ...SEARCH, failure: 'invalid_parameters' }, <Problem>{problem}</Problem>);
    }
    const only = oneOf(ROLES, visit.query('as'));
    const cursor = only === null ? null : visit.query('cursor') || null;
    const { id: user_id } = visit.user;
    const results = await Promise.all(
      // A further page shows the results of one role only.
      (only === null ? ROLES : [only]).map(async (role) => {
        return { role, page: await this.sales.search({ viewer: { role, user_id }, text, cursor }) };
      }),
    );
    // Affiliates do not see customers.
    const ofVendor = ({ role }: { readonly role: Role }) => role === 'vendor';
    const own = results.filter(ofVendor).map(({ page }) => page);
    const byEmail = {
      sales: own.flatMap((page) => page.byEmail),
      hasMore: own.some(({ next }) => next !== null),
    };
    const groups = only === null ? await this.groups.find(user_id, text, byEmail) : null;
    const shown = results.map((result) => shownOf(result, groups));
    const reads = shown
      .filter(ofVendor)
      .flatMap(({ page }) => [...page.byId, ...page.byEmail])
      .map(({ transaction_id }) => ({ record_key: transaction_id, records: 1 }));
    const people =
      (groups?.customers.items.length ?? 0) + (groups?.subscriptions.items.length ?? 0);
    return {
      ...searchPage(text, shown, groups),
      reads: [...reads, ...(people === 0 ? [] : [{ records: people }])],
    };
  }

  /** Says what to type, with what the vendor's latest sale is found by. */
  private async examples(visit: SignedInVisit): Promise<PageAnswer> {
    const sale = await this.sales.latestSale(visit.user.id);
    const page = pageOf(
      SEARCH,
      <>
        <Help />
        {sale !== null && <Examples {...sale} />}
      </>,
    );
    return { ...page, reads: sale === null ? [] : [{ records: 1 }] };
  }
}

/**
 * Returns what the page shows of the sales of a role. A list of its own has all of them, and
 * customers lead to their sales.
 * @param groups null on a page of that list
 */
function shownOf(
  { role, page }: Pick<SearchResult, 'role' | 'page'>,
  groups: SearchGroups | null,
): SearchResult {
  if (groups === null) return { role, page, isCut: false, hasMoreByEmail: false };
  const { byId, byEmail } = page;
  const isBehind = role === 'vendor' && groups.customers.items.length > 0;
  return {
    role,
    page: { ...page, byId: byId.slice(0, FEW), byEmail: isBehind ? [] : byEmail.slice(0, FEW) },
    isCut: byId.length > FEW || byEmail.length > FEW,
    hasMoreByEmail: isBehind && isPart(groups.customers) && byEmail.length > FEW,
  };
}

/** Returns the address of all sales by e-mail; null if the customers shown lead to all of them. */
function salesByEmail(text: string, results: readonly SearchResult[]): string | null {
  const role = results.find(({ hasMoreByEmail }) => hasMoreByEmail)?.role;
  return role === undefined ? null : withQuery(SEARCH_PATH, { q: text, as: role });
}

/** @param groups null on a further page of sales */
function searchPage(text: string, results: readonly SearchResult[], groups: SearchGroups | null) {
  const found = results.filter(hasSales);
  const isFound = found.length > 0 || (groups !== null && hasGroups(groups));
  const hasMoreIds = results.some(({ page }) => page.hasMoreIds);
  return pageOf(
    {
      ...SEARCH,
      heading: (
        <>
          {isFound ? 'Results' : 'No results'} for “<span class="verbatim">{text}</span>”
        </>
      ),
    },
    <>
      {text.length < MIN_SEARCHED && (
        <p>
          Only a whole transaction id was searched for, and names. Type at least {MIN_SEARCHED}{' '}
          characters to find ids and e-mails that begin with them.
        </p>
      )}
      {hasMoreIds && (
        <p>
          Very many transaction ids begin like this, so not all were searched. Type more characters
          of the id.
        </p>
      )}
      {groups !== null && (
        <Groups text={text} groups={groups} salesByEmail={salesByEmail(text, results)} />
      )}
      {found.map((result) => (
        <FoundSales text={text} {...result} />
      ))}
      {!isFound && <Help />}
      {text.includes('@') && (
        <LinkLine href={personPath(text)}>
          Personal data of this customer: find, download, erase
        </LinkLine>
      )}
    </>,
  );
}

/** Links to searches by the last name, the product and the id of a sale. */
function Examples({ customer_last_name, product_name, transaction_id }: FoundSale) {
  const texts = [customer_last_name, product_name, transaction_id].filter((text) => text !== '');
  return (
    <p>
      For example:{' '}
      {texts.map((text, index) => (
        <>
          {index > 0 && ' · '}
          <a href={searchPath(text)}>{text}</a>
        </>
      ))}
    </p>
  );
}

function Help() {
  return (
    <p>
      Type the id of a sale or a subscription as it is written, the beginning of a customer’s name
      or e-mail, or the name or id of an affiliate or a product. The first {MIN_SEARCHED} characters
      of an id or an e-mail are enough. What you sold as an affiliate is found by its id only.
    </p>
  );
}
