import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { type ListExportRequest, ExportsService } from '../../exports/index.js';
import type { ShownRecords } from '../../../api/access/personal-reads.js';
import { figureOf, type ListRequest, type TransactionsPage } from './report-list.model.js';
import { ReportListsService } from './report-lists.service.js';
import { ReportsService } from '../reports.service.js';
import {
  csvDownload,
  type PageAnswer,
  pageOf,
  redirectTo,
} from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import {
  LIST_PATH,
  REPORTS_PATH,
  searchPath,
  transactionPath,
} from '../../../platform/pages/paths.js';
import { PeriodBar } from '../ranges/period-bar.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import { fileAddress, OtherFiles } from '../ranges/report-parts.view.js';
import { reportFilterOf } from '../ranges/report-filter.js';
import {
  addressOf,
  inputOf,
  rangeProblems,
  type ReportInput,
  type ReportQuery,
  validRange,
} from '../ranges/report-query.js';
import type { Viewer } from '../report.model.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { CsvLink, Neighbours } from '../../../platform/pages/ui/facts.view.js';
import { FormProblem, problemsOf } from '../../../platform/pages/ui/form.view.js';
import { textsWithIds } from '../ranges/equal-names.view.js';
import { FilterCustomersService } from './filter-customers.service.js';
import { FilterNamesService, type NamedField, type OfferedNames } from './filter-names.service.js';
import {
  filterIn,
  idIn,
  type ListFilter,
  narrowedBy,
  validPartOf,
  without,
} from './list-filter.js';
import { type Ambiguity, LIST_TITLES, ListFilters, type ShownFilter } from './list-filter.view.js';
import { newestReturnFirst, Sales } from './sales.view.js';
import { Summary } from './summary.view.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';

const LIST = '/reports/transactions';
const NAMED_FIELDS = ['product', 'partner'] as const satisfies readonly NamedField[];

/** Serves the lists of the transactions behind the figures of a report. */
@Injectable()
export class TransactionListPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly lists: ReportListsService,
    private readonly exports: ExportsService,
    private readonly names: FilterNamesService,
    private readonly customers: FilterCustomersService,
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
    const { viewer, range } = input;
    const query = { ...input.query, role: viewer.role };
    const sent = filterIn(visit, viewer.role);
    if (range === null) return withoutRange(query, sent);
    const named = await this.named(viewer, sent);
    const { filter, problems, ambiguities, transaction_id } = await this.ofCustomer(viewer, named);
    if (transaction_id !== undefined) {
      const back = addressOf(LIST_PATH, query, without(filter, 'email'));
      return redirectTo(transactionPath(transaction_id, back));
    }
    const known = problems.reduce<ListFilter>((part, { field }) => without(part, field), filter);
    const { part: used, problems: others } = validPartOf(known);
    const request = listRequestOf(input, used);
    const cursor = visit.query('cursor');
    const [page, offered] = await Promise.all([
      this.lists.page(request, cursor === '' ? null : cursor),
      this.offered(request),
    ]);
    const shown = { query, role: viewer.role, filter, used, range, ambiguities, cursor };
    const offeredPeople = ambiguities.find(({ field }) => field === 'email')?.names.size ?? 0;
    const reads = [
      ...readsOf(request, page.transactions.length),
      ...(offeredPeople === 0 ? [] : [{ records: offeredPeople }]),
    ];
    const found = { ...offered, partner: new Map([...vendorsOn(page), ...offered.partner]) };
    return {
      ...listPage(request, page, { ...shown, offered: found }, [...problems, ...others]),
      reads,
    };
  }

  /** Returns the names that the filter offers, with those of the filter in use. */
  private async offered(request: ListRequest): Promise<OfferedNames> {
    const { viewer, product_id: product, partner_id: partner } = request;
    const [offered, used] = await Promise.all([
      this.names.offered(viewer, request),
      this.names.namesOf(viewer, { product, partner }),
    ]);
    return {
      ...offered,
      product: new Map([...used.product, ...offered.product]),
      partner: new Map([...used.partner, ...offered.partner]),
    };
  }

  /** Replaces the names in a filter by ids. Several products or partners can have one name. */
  private async named(viewer: Viewer, sent: ListFilter): Promise<NamedFilter> {
    let filter = sent;
    const problems: FormProblem[] = [];
    const ambiguities: Ambiguity[] = [];
    for (const field of NAMED_FIELDS) {
      const text = filter[field];
      if (text === undefined) continue;
      const given = idIn(text);
      const names =
        given === null ? await this.names.find(viewer, field, text) : new Map([[given, text]]);
      const [id] = names.keys();
      if (names.size === 1) filter = { ...filter, [field]: String(id) };
      else if (id === undefined) problems.push(new FormProblem(field, 'Nothing has this name.'));
      else {
        problems.push(new FormProblem(field, 'Several have this name. Choose one of them.'));
        ambiguities.push({ field, names: textsWithIds(names) });
      }
    }
    return { filter, problems, ambiguities };
  }

  /** Replaces the beginning of a name or an e-mail address by the address of the customer. */
  private async ofCustomer(viewer: Viewer, sent: NamedFilter): Promise<NamedFilter> {
    const text = sent.filter.email?.trim();
    if (text === undefined || viewer.role === 'affiliate') return sent;
    const found = await this.customers.find(viewer.user_id, text);
    const { customers, transaction_ids, hasMore } = found;
    const [email] = customers.keys();
    const count = customers.size + transaction_ids.length;
    if (count === 1 && !hasMore) {
      return email === undefined
        ? { ...sent, transaction_id: transaction_ids[0] }
        : { ...sent, filter: { ...sent.filter, email } };
    }
    // The whole address of a customer without sales is the filter of an empty list.
    if (count === 0 && text.includes('@')) return sent;
    const message =
      count === 0
        ? 'No customer, e-mail or transaction id begins like this.'
        : 'Several begin like this. Choose one of them.';
    const names = new Map(
      Array.from(customers, ([each, name]) => [each, name === '' ? each : `${name}, ${each}`]),
    );
    const all = hasMore ? searchPath(text) : null;
    return {
      ...sent,
      problems: [...sent.problems, new FormProblem('email', message)],
      ambiguities:
        count === 0
          ? sent.ambiguities
          : [...sent.ambiguities, { field: 'email', names, transaction_ids, all }],
    };
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const input = await inputOf(visit, this.reports);
    const request = listRequestOf(input, filterIn(visit, input.viewer.role));
    const file = csvDownload(nameOf(request), this.lists.csv(request));
    return { ...file, reads: readsOf(request, null) };
  }

  /** Exports the same list from one snapshot of the ledger. */
  private async export(visit: SignedInVisit, format: 'ndjson' | 'parquet'): Promise<PageAnswer> {
    const input = await inputOf(visit, this.reports);
    const filter = filterIn(visit, input.viewer.role);
    const request = listRequestOf(input, filter);
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

/** A filter with its names replaced by what they mean. */
interface NamedFilter {
  readonly filter: ListFilter;
  readonly problems: readonly FormProblem[];
  readonly ambiguities: readonly Ambiguity[];
  /** The one transaction that the filter means. */
  readonly transaction_id?: string | undefined;
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

/** Returns the names of the vendors of a page, which its rows show to the affiliate. */
function vendorsOn(page: TransactionsPage): [number, string][] {
  if (page.role === 'vendor') return [];
  return page.transactions.map(({ vendor_id, vendor_name }) => [vendor_id, vendor_name]);
}

/** Shows the problems of the range, and the form for another one, which keeps the filter. */
function withoutRange(query: ReportQuery, filter: ListFilter) {
  return pageOf(
    {
      title: LIST_TITLES.all,
      problems: rangeProblems(query),
      back: [addressOf(REPORTS_PATH, { ...query, preset: 'this-month' }), 'Report'],
      tools: <PeriodBar path={LIST_PATH} query={query} range={null} more={filter} />,
    },
    null,
  );
}

function listPage(
  request: ListRequest,
  page: TransactionsPage,
  shown: ShownFilter & { readonly cursor: string },
  problems: readonly FormProblem[],
) {
  const { kind, start_date, end_date } = request;
  const { next, previous, searched_to, transactions } = page;
  const sorted = newestReturnFirst(page);
  const { query, role, used: filter, cursor } = shown;
  const range = { start_date, end_date };
  const title = LIST_TITLES[kind];
  const address = addressOf(LIST_PATH, query, cursor === '' ? filter : { ...filter, cursor });
  const pagePath = (to: string) => addressOf(LIST_PATH, query, { ...filter, cursor: to });
  return pageOf(
    {
      title: `${title}, ${rangeText(range)}`,
      heading: title,
      problems,
      // The tabs lead to the whole report; this leads back to the figure of a narrowed one.
      ...(Object.keys(filter).length > 0 && {
        back: [
          addressOf(REPORTS_PATH, { ...query, filter: reportFilterOf(filter) }),
          'Report',
        ] as const,
      }),
      tools: (
        <div class="tools">
          <PeriodBar path={LIST_PATH} query={query} range={range} more={filter} />
          <CsvLink href={fileAddress(query, role, 'csv', filter)} />
        </div>
      ),
    },
    <>
      <Summary page={page} request={request} isByReturn={sorted !== null} used={filter} />
      <ListFilters {...shown} hasProblem={problems.length > 0} />
      {transactions.length === 0 && searched_to === null ? (
        <Empty
          next={[addressOf(LIST_PATH, { ...query, preset: 'all-time' }), 'Show those of all time']}
        >
          No transactions in this period.
        </Empty>
      ) : (
        <Sales label={title} page={sorted ?? page} address={address} isByReturn={sorted !== null} />
      )}
      {searched_to !== null && (
        <p class="empty">Searched as far as {searched_to}. There may be more on the next page.</p>
      )}
      <Neighbours
        previous={{ words: 'Newer', href: previous && pagePath(previous) }}
        next={{ words: 'Older', href: next && pagePath(next) }}
      >
        {role === 'vendor' && <OtherFiles query={query} role={role} filter={filter} />}
      </Neighbours>
    </>,
  );
}
