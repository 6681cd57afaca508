import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { type ListExportRequest, ExportsService } from '../../exports/index.js';
import type { ShownRecords } from '../../../api/access/personal-reads.js';
import { figureOf, type ListRequest, type TransactionsPage } from './report-list.model.js';
import { ReportListsService } from './report-lists.service.js';
import { ReportsService } from '../reports.service.js';
import { csvDownload, type PageAnswer, pageOf } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { LIST_PATH, REPORTS_PATH } from '../../../platform/pages/paths.js';
import { PeriodBar } from '../ranges/period-bar.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import { Downloads, downloadsOf } from '../ranges/report-parts.view.js';
import { addressOf, inputOf, type ReportInput, validRange } from '../ranges/report-query.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { Neighbours } from '../../../platform/pages/ui/facts.view.js';
import { problemsOf } from '../../../platform/pages/ui/form.view.js';
import { Money, numberText } from '../../../platform/pages/ui/values.view.js';
import {
  FIGURE_NAMES,
  filterIn,
  LIST_TITLES,
  type ListFilter,
  ListFilters,
  namesOn,
  narrowedBy,
  type ShownFilter,
} from './list-filter.js';
import { Sales } from './sales.view.js';

const LIST = '/reports/transactions';

/** Serves the lists of the transactions behind the figures of a report. */
@Injectable()
export class TransactionListPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly lists: ReportListsService,
    private readonly exports: ExportsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get(LIST, (visit) => this.list(visit), { operation: 'page.transactions' });
    routes.get(`${LIST}.csv`, (visit) => this.download(visit), { operation: 'page.csv' });
    for (const format of ['ndjson', 'parquet'] as const) {
      const shown = { operation: `page.${format}` } as const;
      routes.get(`${LIST}.${format}`, (visit) => this.export(visit, format), shown);
    }
  }

  private async list(visit: SignedInVisit): Promise<PageAnswer> {
    const input = await inputOf(visit, this.reports);
    const filter = filterIn(visit);
    const query = { ...input.query, role: input.viewer.role };
    const shown = { query, role: input.viewer.role, filter };
    const problems = problemsOf([() => narrowedBy(filter)]);
    if (problems.length > 0) {
      const parts = { title: LIST_TITLES.all, isWide: true, problems };
      return pageOf(parts, <ListFilters {...shown} isOpen />);
    }
    const request = listRequestOf(input, filter);
    const cursor = visit.query('cursor');
    const page = await this.lists.page(request, cursor === '' ? null : cursor);
    const reads = readsOf(request, page.transactions.length);
    return { ...listPage(request, page, { ...shown, cursor }), reads };
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const request = listRequestOf(await inputOf(visit, this.reports), filterIn(visit));
    const file = csvDownload(nameOf(request), this.lists.csv(request));
    return { ...file, reads: readsOf(request, null) };
  }

  /** Exports the same list from one snapshot of the ledger. */
  private async export(visit: SignedInVisit, format: 'ndjson' | 'parquet'): Promise<PageAnswer> {
    const filter = filterIn(visit);
    const request = listRequestOf(await inputOf(visit, this.reports), filter);
    const { viewer, attribution, start_date, end_date } = request;
    const figure = figureOf(request);
    if (viewer.role !== 'vendor') throw new ApiError('not_found', 'This page does not exist.');
    const vendor_id = viewer.user_id;
    const range = { start_date, end_date };
    const withRefunds = attribution === 'refund';
    const counted = { ...range, figure, attribution };
    const whole = { vendor_id, range, format, isMasked: false, withRefunds, counted };
    const named = { vendor_id, name: nameOf(request), format };
    const batches: ListExportRequest['batches'] = (snapshot) => this.lists.walk(snapshot, request);
    return {
      kind: 'download',
      withFile: (send) =>
        Object.keys(filter).length === 0
          ? this.exports.export(whole, send)
          : this.exports.exportList({ ...named, batches }, send),
      reads: readsOf(request, null),
    };
  }
}

/** @throws ApiError invalid_parameters */
function listRequestOf({ query, viewer, range }: ReportInput, filter: ListFilter): ListRequest {
  const days = validRange(range);
  const [problem] = problemsOf([() => narrowedBy(filter)]);
  if (problem !== undefined) throw new ApiError('invalid_parameters', problem.message);
  return { viewer, ...days, attribution: query.attribution, ...narrowedBy(filter) };
}

/**
 * Returns the customers' data that a list shows to a vendor; affiliates do not see customers.
 * @param records null if they are not counted yet
 */
function readsOf(
  { viewer, start_date, end_date }: ListRequest,
  records: number | null,
): ShownRecords[] {
  return viewer.role === 'vendor' ? [{ first_day: start_date, last_day: end_date, records }] : [];
}

/** Returns the name of a file with a list, without its extension. */
function nameOf({ kind, start_date, end_date }: ListRequest): string {
  return `${kind === 'all' ? 'transactions' : kind}-${start_date}-to-${end_date}`;
}

function listPage(
  { kind, start_date, end_date }: ListRequest,
  page: TransactionsPage,
  shown: ShownFilter & { readonly cursor: string },
) {
  const { next, previous, searched_to, transactions } = page;
  const { query, role, filter, cursor } = shown;
  const range = { start_date, end_date };
  const title = LIST_TITLES[kind];
  const address = addressOf(LIST_PATH, query, cursor === '' ? filter : { ...filter, cursor });
  const pagePath = (to: string) => addressOf(LIST_PATH, query, { ...filter, cursor: to });
  return pageOf(
    {
      title: `${title}, ${rangeText(range)}`,
      heading: title,
      isWide: true,
      back: [addressOf(REPORTS_PATH, query), 'Back to the report'],
      tools: <PeriodBar path={LIST_PATH} query={query} range={range} more={filter} />,
    },
    <>
      <ListFilters {...shown} names={namesOn(page)} />
      <p>
        <Count {...page} /> <time>{start_date}</time> to <time>{end_date}</time>, newest sale first.
        <Adds {...page} />
      </p>
      {transactions.length === 0 && searched_to === null ? (
        <p class="empty">No transactions in this period.</p>
      ) : (
        <Sales label={title} page={page} address={address} />
      )}
      {searched_to !== null && (
        <p class="empty">Searched as far as {searched_to}. There may be more on the next page.</p>
      )}
      <Neighbours
        previous={{ words: 'Newer', href: previous && pagePath(previous) }}
        next={{ words: 'Older', href: next && pagePath(next) }}
      >
        <Downloads links={downloadsOf(query, role, filter)} />
      </Neighbours>
    </>,
  );
}

/** Says what the column of a list adds up to. */
function Adds({ figure, total }: TransactionsPage) {
  if (total === null) return null;
  return (
    <>
      {' '}
      {FIGURE_NAMES[figure]} in this period:{' '}
      <strong>
        <Money cents={total} />
      </strong>
      .
    </>
  );
}

function Count({ total_count, transactions, previous, searched_to }: TransactionsPage) {
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
