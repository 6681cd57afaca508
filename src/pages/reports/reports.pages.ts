import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import type { ExportFormat } from '../../modules/exports/export.model.js';
import { ExportsService } from '../../modules/exports/exports.service.js';
import type { ShownRecords } from '../../modules/personal-reads/personal-read.model.js';
import { ReportListsService } from '../../modules/reports/lists/report-lists.service.js';
import { ReportsService } from '../../modules/reports/reports.service.js';
import type { DayRange, Viewer } from '../../modules/reports/report.model.js';
import type { ListRequest } from '../../modules/reports/lists/report-list.model.js';
import { csvDownload, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { FormProblem } from '../ui/form.view.js';
import { downloadsOf } from './downloads.view.js';
import { filterIn, narrowedBy, type ListFilter } from './list/list-filter.js';
import { LIST_PATH } from './list/list-filter.view.js';
import { invalidFilterPage, listPage } from './list/list.view.js';
import {
  addressOf,
  rangeOf,
  rangeProblems,
  reportQueryOf,
  stepFor,
  todayInUtc,
  type ReportQuery,
  type Role,
} from './report-query.js';
import { invalidRangePage, reportPage } from './report.view.js';

const PATH = '/account/reports';
const LIST = '/reports/transactions';
export const NO_RANGE =
  'First and last day must be dates such as 2030-12-31, the last not before the first.';

interface ReportInput {
  readonly query: ReportQuery;
  readonly viewer: Viewer;
  /** Null if the input is not a valid range. */
  readonly range: DayRange | null;
}

@Injectable()
export class ReportPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly lists: ReportListsService,
    private readonly exports: ExportsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/reports', (visit) => this.report(visit));
    routes.get(LIST, (visit) => this.list(visit), { operation: 'page.transactions' });
    routes.get(`${LIST}.csv`, (visit) => this.download(visit), { operation: 'page.csv' });
    for (const format of ['ndjson', 'parquet'] as const) {
      const shown = { operation: `page.${format}` } as const;
      routes.get(`${LIST}.${format}`, (visit) => this.export(visit, format), shown);
    }
  }

  private async report(visit: SignedInVisit): Promise<PageAnswer> {
    const { query, viewer, range } = await this.inputOf(visit);
    const { role } = viewer;
    if (range === null) return invalidRangePage(query, role, rangeProblems(query));
    const { attribution, preset } = query;
    const by = query.by ?? stepFor(range);
    // A range of all time has nothing before it to compare with.
    const comparison = preset === 'all-time' ? 'none' : query.comparison;
    const asked = { viewer, ...range, attribution, by, comparison, today: todayInUtc() };
    const report = await this.reports.report(asked);
    return reportPage({ query: { ...query, comparison }, role, range, by, report });
  }

  private async list(visit: SignedInVisit): Promise<PageAnswer> {
    const input = await this.inputOf(visit);
    const filter = filterIn(visit);
    const query = { ...input.query, role: input.viewer.role };
    const shown = { query, role: input.viewer.role, filter };
    const problem = problemOf(filter);
    if (problem !== null) return invalidFilterPage({ ...shown, problems: [problem] });
    const request = listRequestOf(input, filter);
    const cursor = visit.query('cursor');
    const page = await this.lists.page(request, cursor === '' ? null : cursor);
    const view = listPage({
      kind: request.kind,
      range: request,
      page,
      filter: shown,
      reportPath: addressOf(PATH, query),
      downloads: downloadsOf(LIST_PATH, query, input.viewer.role, filter),
      pagePath: (other) => addressOf(LIST_PATH, query, { ...filter, cursor: other }),
    });
    return { ...view, reads: readsOf(request, page.transactions.length) };
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const request = listRequestOf(await this.inputOf(visit), filterIn(visit));
    const file = csvDownload(nameOf(request), this.lists.csv(request));
    return { ...file, reads: readsOf(request, null) };
  }

  /** Exports the same list from one snapshot of the ledger. */
  private async export(visit: SignedInVisit, format: 'ndjson' | 'parquet'): Promise<PageAnswer> {
    const filter = filterIn(visit);
    const request = listRequestOf(await this.inputOf(visit), filter);
    const { viewer, attribution, start_date, end_date } = request;
    if (viewer.role !== 'vendor') throw new ApiError('not_found', 'This page does not exist.');
    const reads = readsOf(request, null);
    if (Object.keys(filter).length > 0) return { ...this.exportPart(request, format), reads };
    const whole = {
      vendor_id: viewer.user_id,
      range: { start_date, end_date },
      format,
      isMasked: false,
      withRefunds: attribution === 'refund',
    };
    return { kind: 'download', withFile: (send) => this.exports.export(whole, send), reads };
  }

  private exportPart(request: ListRequest, format: ExportFormat): PageAnswer {
    const named = { vendor_id: request.viewer.user_id, name: nameOf(request), format };
    return {
      kind: 'download',
      withFile: (send) =>
        this.exports.exportList(
          { ...named, batches: (snapshot) => this.lists.walk(snapshot, request) },
          send,
        ),
    };
  }

  private async inputOf(visit: SignedInVisit): Promise<ReportInput> {
    const query = reportQueryOf(visit);
    const viewer = { role: query.role ?? (await this.roleOf(visit)), user_id: visit.user.id };
    const all = query.preset === 'all-time' ? await this.reports.allTime(viewer) : null;
    return { query, viewer, range: rangeOf(query, all) };
  }

  /** Returns affiliate for a user who has sales only as an affiliate, otherwise vendor. */
  private async roleOf({ user }: SignedInVisit): Promise<Role> {
    const sold = (role: Role) => this.reports.allTime({ role, user_id: user.id });
    if ((await sold('vendor')) !== null) return 'vendor';
    return (await sold('affiliate')) === null ? 'vendor' : 'affiliate';
  }
}

/** @throws ApiError invalid_parameters */
function listRequestOf({ query, viewer, range }: ReportInput, filter: ListFilter): ListRequest {
  if (range === null) throw new ApiError('invalid_parameters', NO_RANGE);
  const problem = problemOf(filter);
  if (problem !== null) throw new ApiError('invalid_parameters', problem.message);
  return { viewer, ...range, attribution: query.attribution, ...narrowedBy(filter) };
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

function problemOf(filter: ListFilter): FormProblem | null {
  try {
    narrowedBy(filter);
    return null;
  } catch (error) {
    if (error instanceof FormProblem) return error;
    throw error;
  }
}

/** Returns the name of a file with a list, without its extension. */
function nameOf({ kind, start_date, end_date }: ListRequest): string {
  return `${kind === 'all' ? 'transactions' : kind}-${start_date}-to-${end_date}`;
}
