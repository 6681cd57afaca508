import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import type { ExportFormat } from '../../modules/exports/export.model.js';
import { ExportsService } from '../../modules/exports/exports.service.js';
import { ReportListsService } from '../../modules/reports/lists/report-lists.service.js';
import { ReportsService } from '../../modules/reports/reports.service.js';
import type { DayRange, Viewer } from '../../modules/reports/report.model.js';
import { REPORT_KINDS, type ListRequest } from '../../modules/reports/lists/report-list.model.js';
import type { PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { downloadsOf } from './downloads.view.js';
import { listPage } from './list.view.js';
import {
  addressOf,
  CSV_TYPE,
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
const LIST = `${PATH}/transactions`;
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
    routes.get('/reports/transactions', (visit) => this.list(visit));
    routes.get('/reports/transactions.csv', (visit) => this.download(visit));
    for (const format of ['ndjson', 'parquet'] as const) {
      routes.get(`/reports/transactions.${format}`, (visit) => this.export(visit, format));
    }
  }

  private async report(visit: SignedInVisit): Promise<PageAnswer> {
    const { query, viewer, range } = await this.inputOf(visit);
    const { role } = viewer;
    if (range === null) return invalidRangePage(query, role, rangeProblems(query));
    const { attribution, preset } = query;
    const by = query.by ?? stepFor(range);
    // Before all time there is nothing.
    const comparison = preset === 'all-time' ? 'none' : query.comparison;
    const asked = { viewer, ...range, attribution, by, comparison, today: todayInUtc() };
    const report = await this.reports.report(asked);
    return reportPage({ query: { ...query, comparison }, role, range, by, report });
  }

  private async list(visit: SignedInVisit): Promise<PageAnswer> {
    const input = await this.inputOf(visit);
    const request = listRequestOf(visit, input);
    const cursor = visit.query('cursor');
    const page = await this.lists.page(request, cursor === '' ? null : cursor);
    const query = { ...input.query, role: input.viewer.role };
    const filter = filterIn(visit);
    return listPage({
      ...{ kind: request.kind, range: request, page, filter: describeFilter(request) },
      reportPath: addressOf(PATH, query),
      downloads: downloadsOf(LIST, query, input.viewer.role, filter),
      pagePath: (other) => addressOf(LIST, query, { ...filter, cursor: other }),
    });
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const request = listRequestOf(visit, await this.inputOf(visit));
    const { kind, start_date, end_date } = request;
    const name = `${kind === 'all' ? 'transactions' : kind}-${start_date}-to-${end_date}.csv`;
    const file = { name, type: CSV_TYPE, isCompressible: false, chunks: this.lists.csv(request) };
    return { kind: 'download', withFile: (send) => send(file) };
  }

  /** The same list as `all`, of one state of the ledger. */
  private async export(visit: SignedInVisit, format: ExportFormat): Promise<PageAnswer> {
    const { viewer, attribution, ...days } = listRequestOf(visit, await this.inputOf(visit));
    const { start_date, end_date } = days;
    if (viewer.role !== 'vendor') throw new ApiError('not_found', 'This page does not exist.');
    const request = {
      ...{ vendor_id: viewer.user_id, range: { start_date, end_date }, format, isMasked: false },
      withRefunds: attribution === 'refund',
    };
    return { kind: 'download', withFile: (send) => this.exports.export(request, send) };
  }

  private async inputOf(visit: SignedInVisit): Promise<ReportInput> {
    const query = reportQueryOf(visit);
    const viewer = { role: query.role ?? (await this.roleOf(visit)), user_id: visit.user.id };
    const all = query.preset === 'all-time' ? await this.reports.allTime(viewer) : null;
    return { query, viewer, range: rangeOf(query, all) };
  }

  /** Affiliate for a user who has sales only as an affiliate, otherwise vendor. */
  private async roleOf({ user }: SignedInVisit): Promise<Role> {
    const sold = (role: Role) => this.reports.allTime({ role, user_id: user.id });
    if ((await sold('vendor')) !== null) return 'vendor';
    return (await sold('affiliate')) === null ? 'vendor' : 'affiliate';
  }
}

/** @throws ApiError invalid_parameters for a URL that no page links to */
function listRequestOf(visit: SignedInVisit, { query, viewer, range }: ReportInput): ListRequest {
  if (range === null) throw new ApiError('invalid_parameters', NO_RANGE);
  const { kind, product, partner } = filterIn(visit);
  const found = REPORT_KINDS.find((each) => each === (kind ?? 'all'));
  if (found === undefined) throw new ApiError('invalid_parameters', 'This list does not exist.');
  return {
    ...{ viewer, ...range, attribution: query.attribution, kind: found },
    ...(product === undefined ? {} : { product_id: idOf(product) }),
    ...(partner === undefined ? {} : { partner_id: idOf(partner) }),
  };
}

function describeFilter({ viewer, product_id, partner_id }: ListRequest): string {
  if (product_id !== undefined) return `of product ${product_id}`;
  if (partner_id === undefined) return '';
  return `of ${viewer.role === 'vendor' ? 'affiliate' : 'vendor'} ${partner_id}`;
}

type Filter = Partial<Record<'kind' | 'product' | 'partner', string>>;

function filterIn(visit: SignedInVisit): Filter & Readonly<Record<string, string>> {
  const names = ['kind', 'product', 'partner'] as const;
  const given = names.filter((name) => visit.query(name) !== '');
  return Object.fromEntries(given.map((name) => [name, visit.query(name)]));
}

function idOf(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id)) {
    throw new ApiError('invalid_parameters', 'A product or partner must be an integer id.');
  }
  return id;
}
