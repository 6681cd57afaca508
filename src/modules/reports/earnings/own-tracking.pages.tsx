import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { OWN_TRACKING_PATH } from '../../../platform/pages/paths.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import { pageIn } from '../../../platform/pages/ui/facts.view.js';
import { type FormProblem, problemsOf } from '../../../platform/pages/ui/form.view.js';
import { ORDERS } from '../../../platform/pages/ui/sorting.view.js';
import { oneOf, type SignedInVisit, type Visit } from '../../../platform/pages/visit.js';
import { ItemNamesService } from '../item-names.service.js';
import { PeriodBar, PrintedRange } from '../ranges/period-bar.view.js';
import {
  figureFilterOf,
  type FilterNames,
  FilterProblems,
  reportFilterIn,
  ReportFilters,
} from '../ranges/report-filter.js';
import { rangeFor, rangeProblems, rangeQueryOf } from '../ranges/report-query.js';
import type { DayRange } from '../report.model.js';
import { ReportsService } from '../reports.service.js';
import { firstOrderOf, OWN_SORTS } from '../tracking/line-order.js';
import type { OwnTracking } from './own-tracking.model.js';
import { OwnTrackingService } from './own-tracking.service.js';
import { OwnLines, type OwnTrackingPageQuery } from './own-tracking.view.js';

/** Serves what the tracking ids of an affiliate earned. */
@Injectable()
export class OwnTrackingPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly tracking: OwnTrackingService,
    private readonly names: ItemNamesService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/earnings/tracking', (visit) => this.show(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const query = queryOf(visit);
    const { report } = query;
    const viewer = { role: 'affiliate', user_id: visit.user.id } as const;
    const range = await rangeFor(this.reports, report, viewer);
    const problems = [
      ...(range === null ? rangeProblems(report) : []),
      ...problemsOf([() => figureFilterOf(report.filter, 'affiliate')]),
    ];
    if (range === null || problems.length > 0) return trackingPage(query, range, problems, null);
    const { vendor_id } = figureFilterOf(report.filter, 'affiliate');
    const tracking = await this.tracking.trackingOf({
      affiliate_id: viewer.user_id,
      ...(vendor_id === undefined ? {} : { vendor_id }),
      ...range,
      attribution: report.attribution,
    });
    const view = (
      <>
        <PrintedRange query={report} range={range} />
        <OwnLines query={query} tracking={tracking} />
      </>
    );
    return trackingPage(query, range, [], view, await this.namesOf(visit, vendor_id, tracking));
  }

  /** Returns the name of the vendor, if the affiliate has referred a sale to it in the range. */
  private async namesOf(
    { user }: SignedInVisit,
    vendor_id: number | undefined,
    { total }: OwnTracking,
  ): Promise<FilterNames> {
    if (vendor_id === undefined || total.sales === 0) return {};
    const names = await this.names.namesOf({ user_id: user.id }, 'vendor', [vendor_id]);
    const partner = names.get(vendor_id);
    return partner === undefined ? {} : { partner };
  }
}

/** Reads the query from the address; unknown words are replaced by the defaults. */
function queryOf(visit: Visit): OwnTrackingPageQuery {
  const { partner } = reportFilterIn(visit);
  const sort = oneOf(OWN_SORTS, visit.query('sort')) ?? 'commission';
  return {
    report: { ...rangeQueryOf(visit), filter: partner === undefined ? {} : { partner } },
    sort,
    order: oneOf(ORDERS, visit.query('order')) ?? firstOrderOf(sort),
    page: pageIn(visit),
  };
}

/** @param range null if the input is not a valid range */
function trackingPage(
  { report, sort, order }: OwnTrackingPageQuery,
  range: DayRange | null,
  problems: readonly FormProblem[],
  sales: VNode | null,
  names: FilterNames = {},
) {
  const title = 'My tracking';
  return pageOf(
    {
      title: range === null ? title : `${title}, ${rangeText(range)}`,
      heading: title,
      problems,
      tools: (
        <div class="tools">
          <PeriodBar path={OWN_TRACKING_PATH} query={report} range={range} more={{ sort, order }} />
        </div>
      ),
    },
    <>
      <FilterProblems problems={problems} />
      <ReportFilters path={OWN_TRACKING_PATH} query={report} role="affiliate" names={names} />
      {sales}
    </>,
  );
}
