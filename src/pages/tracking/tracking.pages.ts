import { Injectable } from '@nestjs/common';
import { csvFile } from '../../common/csv.js';
import { ApiError } from '../../common/errors/api-error.js';
import type { DayRange } from '../../modules/reports/report.model.js';
import { ReportsService } from '../../modules/reports/reports.service.js';
import type { TrackingReport } from '../../modules/reports/tracking/tracking-report.model.js';
import { TrackingReportService } from '../../modules/reports/tracking/tracking-report.service.js';
import { csvDownload, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import { rangeOf, rangeProblems } from '../reports/report-query.js';
import type { SignedInVisit } from '../session/visit.js';
import { TRACKING_COLUMNS, trackingRows } from './tracking-columns.js';
import { trackingQueryOf, type TrackingQuery } from './tracking-query.js';
import { invalidTrackingPage, trackingPage } from './tracking.view.js';

const NO_RANGE =
  'First and last day must be dates such as 2030-12-31, the last not before the first.';

/** Serves the report of a vendor's sales by the values of tracking fields. */
@Injectable()
export class TrackingPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly tracking: TrackingReportService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/tracking', (visit) => this.show(visit));
    routes.get('/tracking.csv', (visit) => this.download(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const query = trackingQueryOf(visit);
    const range = await this.rangeOf(visit, query);
    if (range === null) return invalidTrackingPage(query, rangeProblems(query.report));
    return trackingPage({ query, range, report: await this.report(visit, query, range) });
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const query = trackingQueryOf(visit);
    const range = await this.rangeOf(visit, query);
    if (range === null) throw new ApiError('invalid_parameters', NO_RANGE);
    const { start_date, end_date } = range;
    const rows = trackingRows(await this.report(visit, query, range));
    const csv = csvFile(TRACKING_COLUMNS, 'spreadsheet', [rows]);
    return csvDownload(`${query.field}-${start_date}-to-${end_date}`, csv);
  }

  private report(
    visit: SignedInVisit,
    { report: { attribution }, field }: TrackingQuery,
    range: DayRange,
  ): Promise<TrackingReport> {
    return this.tracking.report({ vendor_id: visit.user.id, field, attribution, ...range });
  }

  private async rangeOf({ user }: SignedInVisit, { report }: TrackingQuery) {
    const viewer = { role: 'vendor', user_id: user.id } as const;
    return rangeOf(
      report,
      report.preset === 'all-time' ? await this.reports.allTime(viewer) : null,
    );
  }
}
