import type { DayRange } from '../../../modules/reports/report.model.js';
import type {
  ReportKind,
  TransactionsPage,
} from '../../../modules/reports/lists/report-list.model.js';
import type { Page } from '../../http/page-answer.js';
import { SalesOfAffiliate, SalesOfVendor } from '../../transactions/sales.view.js';
import { Downloads, type DownloadLink } from '../downloads.view.js';
import { namesOn } from './filter-names.js';
import { LIST_TITLES, ListFilters, type ShownFilter } from './list-filter.view.js';
import { numberText } from '../figures.view.js';

export interface ShownList {
  readonly kind: ReportKind;
  readonly range: DayRange;
  readonly page: TransactionsPage;
  readonly filter: ShownFilter;
  readonly reportPath: string;
  readonly downloads: readonly DownloadLink[];
  readonly pagePath: (cursor: string) => string;
}

export function listPage(shown: ShownList): Page {
  const { kind, range, page, filter, reportPath, downloads, pagePath } = shown;
  const { next, previous, searched_to, transactions } = page;
  const { start_date, end_date } = range;
  return {
    kind: 'page',
    title: LIST_TITLES[kind],
    isWide: true,
    view: (
      <>
        <p>
          <a href={reportPath}>Back to the report</a>
        </p>
        <h1>{LIST_TITLES[kind]}</h1>
        <ListFilters {...filter} names={namesOn(page)} />
        <p>
          <Count page={page} /> <time>{start_date}</time> to <time>{end_date}</time>, newest sale
          first.
        </p>
        <p>
          <Downloads links={downloads} />
        </p>
        {transactions.length === 0 && searched_to === null ? (
          <p class="empty">None.</p>
        ) : page.role === 'vendor' ? (
          <SalesOfVendor label={LIST_TITLES[kind]} rows={page.transactions} />
        ) : (
          <SalesOfAffiliate label={LIST_TITLES[kind]} rows={page.transactions} />
        )}
        {searched_to !== null && (
          <p class="empty">Searched as far as {searched_to}. There may be more on the next page.</p>
        )}
        <nav class="pages" aria-label="Pages">
          {previous !== null && (
            <a class="button quiet" href={pagePath(previous)} rel="prev">
              Newer
            </a>
          )}
          {next !== null && (
            <a class="button quiet" href={pagePath(next)} rel="next">
              Older
            </a>
          )}
        </nav>
      </>
    ),
  };
}

/** Shows the form with its problems if a field is not valid. */
export function invalidFilterPage(filter: ShownFilter): Page {
  return {
    kind: 'page',
    title: LIST_TITLES.all,
    isWide: true,
    failure: 'invalid_parameters',
    view: (
      <>
        <h1>{LIST_TITLES.all}</h1>
        <ListFilters {...filter} />
      </>
    ),
  };
}

function Count({
  page: { total_count, transactions, previous, searched_to },
}: Pick<ShownList, 'page'>) {
  const isFirst = previous === null;
  if (total_count === null && (!isFirst || searched_to !== null)) return null;
  const count = total_count ?? transactions.length;
  return (
    <>
      {total_count === null && 'More than '}
      <strong>{numberText(count)}</strong> {count === 1 ? 'transaction' : 'transactions'},
    </>
  );
}
