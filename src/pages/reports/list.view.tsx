import type { DayRange } from '../../modules/reports/report.model.js';
import type {
  ReportKind,
  TransactionsPage,
} from '../../modules/reports/lists/report-list.model.js';
import type { Page } from '../http/page-answer.js';
import { SalesOfAffiliate, SalesOfVendor } from '../transactions/sales.view.js';
import { Downloads, type DownloadLink } from './downloads.view.js';
import { numberText } from './figures.view.js';

const TITLES: Readonly<Record<ReportKind, string>> = {
  all: 'Transactions',
  sales: 'Sales',
  pending: 'Pending transactions',
  refunds: 'Refunds',
  chargebacks: 'Chargebacks',
};

export interface ShownList {
  readonly kind: ReportKind;
  readonly range: DayRange;
  readonly page: TransactionsPage;
  /** The filter in words, such as `of product 7`, or empty. */
  readonly filter: string;
  readonly reportPath: string;
  readonly downloads: readonly DownloadLink[];
  readonly pagePath: (cursor: string) => string;
}

export function listPage(shown: ShownList): Page {
  const { kind, range, page, filter, reportPath, downloads, pagePath } = shown;
  const { total_count, next, previous, transactions } = page;
  const { start_date, end_date } = range;
  return {
    kind: 'page',
    title: TITLES[kind],
    isWide: true,
    view: (
      <>
        <p>
          <a href={reportPath}>Back to the report</a>
        </p>
        <h1>{TITLES[kind]}</h1>
        <p>
          {total_count !== null && (
            <>
              <strong>{numberText(total_count)}</strong>{' '}
              {total_count === 1 ? 'transaction' : 'transactions'}
              {filter !== '' && ` ${filter}`},{' '}
            </>
          )}
          <time>{start_date}</time> to <time>{end_date}</time>, newest sale first.
        </p>
        <p>
          <Downloads links={downloads} />
        </p>
        {transactions.length === 0 ? (
          <p class="empty">None.</p>
        ) : page.role === 'vendor' ? (
          <SalesOfVendor label={TITLES[kind]} rows={page.transactions} />
        ) : (
          <SalesOfAffiliate label={TITLES[kind]} rows={page.transactions} />
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
