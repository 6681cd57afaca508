import { Injectable } from '@nestjs/common';
import { type Report, TOP_ORDERS, type Viewer } from './report.model.js';
import { ApiApplicationsService, TwoFactorService } from '../accounts/index.js';
import { UpstreamsService } from '../mirror/index.js';
import { WebhooksService } from '../webhooks/index.js';
import type { FigureFilter } from './figures/figure.model.js';
import { ItemNamesService } from './item-names.service.js';
import { stepFor } from './figures.js';
import { ReportsService } from './reports.service.js';
import { Audiences, type Audience } from '../../platform/pages/audiences.js';
import { pageOf, type PageAnswer } from '../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../platform/pages/page-router.js';
import { REPORTS_PATH } from '../../platform/pages/paths.js';
import { oneOf, type SignedInVisit } from '../../platform/pages/visit.js';
import { problemsOf } from '../../platform/pages/ui/form.view.js';
import { todayInUtc } from '../../platform/values/time.js';
import type { FirstSteps } from './first-steps.view.js';
import { hasNothing, reportPage, ReportTools } from './report.view.js';
import {
  combinedFilter,
  figureFilterOf,
  type FilterNames,
  FilterProblems,
  reportFilterIn,
  ReportFilters,
} from './ranges/report-filter.js';
import { inputOf, rangeProblems, type Role } from './ranges/report-query.js';

const AUDIENCE_OF: Readonly<Record<Role, Audience>> = { vendor: 'sellers', affiliate: 'referrers' };

@Injectable()
export class ReportPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly applications: ApiApplicationsService,
    private readonly twoFactor: TwoFactorService,
    private readonly upstreams: UpstreamsService,
    private readonly webhooks: WebhooksService,
    private readonly names: ItemNamesService,
    private readonly audiences: Audiences,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/reports', (visit) => this.report(visit));
  }

  private async report(visit: SignedInVisit): Promise<PageAnswer> {
    const { viewer, range, ...input } = await inputOf(visit, this.reports);
    const { role } = viewer;
    const { filter, isCut } = combinedFilter(reportFilterIn(visit), role);
    const query = { ...input.query, role, filter };
    const audiences = await this.audiences.audiencesOf(viewer.user_id);
    const isOnlyRole = audiences.size === 1 && audiences.has(AUDIENCE_OF[role]);
    const problems = [
      ...(range === null ? rangeProblems(query) : []),
      ...problemsOf([() => figureFilterOf(filter, role)]),
    ];
    if (range === null || problems.length > 0) {
      const asked = { query, role, range, isOnlyRole };
      const tools = <ReportTools {...asked} compared={null} by="day" />;
      return pageOf(
        { title: 'Reports', problems, tools },
        <>
          <FilterProblems problems={problems} />
          <ReportFilters path={REPORTS_PATH} query={query} role={role} />
        </>,
      );
    }
    const { attribution, preset } = query;
    const by = query.by ?? stepFor(range);
    // A range of all time has nothing before it to compare with.
    const comparison = preset === 'all-time' ? 'none' : query.comparison;
    const top = oneOf(TOP_ORDERS, visit.query('top')) ?? 'gross';
    const asked = { viewer, ...range, attribution, by, comparison, top, today: todayInUtc() };
    const figureFilter = figureFilterOf(filter, role);
    const report = await this.reports.report({ ...asked, filter: figureFilter });
    const names = await this.namesOf(viewer, figureFilter, report);
    const isEmpty = hasNothing(report.figures);
    const firstSteps = isEmpty && role === 'vendor' ? await this.firstSteps(viewer.user_id) : null;
    const narrowed = { query: { ...query, comparison }, role, range, names, isCut, isOnlyRole };
    return reportPage({ ...narrowed, report, top, firstSteps }, by);
  }

  /** Returns null for a vendor with sales. */
  private async firstSteps(user_id: number): Promise<FirstSteps | null> {
    if ((await this.reports.allTime({ role: 'vendor', user_id })) !== null) return null;
    const [applications, endpoints, upstream, hasTwoFactor] = await Promise.all([
      this.applications.applicationsOf(user_id),
      this.webhooks.list(user_id),
      this.upstreams.ofVendor(user_id),
      this.twoFactor.isOn(user_id),
    ]);
    const active = applications.filter(({ state }) => state === 'active');
    return {
      hasSource: upstream !== null || active.some(({ access }) => access === 'source'),
      hasKey: active.some(({ access }) => access !== 'source'),
      hasWebhook: endpoints.length > 0,
      hasTwoFactor,
    };
  }

  /** Returns the names of the filter that the viewer may see. */
  private async namesOf(
    viewer: Viewer,
    filter: FigureFilter,
    report: Report,
  ): Promise<FilterNames> {
    const { product_id, affiliate_id, vendor_id } = filter;
    // A product that the viewer has not sold may be that of another vendor.
    const product = product_id === undefined ? undefined : report.top_products[0]?.name;
    if (affiliate_id === undefined) {
      const partner = vendor_id === undefined ? undefined : report.top_partners[0]?.name;
      return { ...(product && { product }), ...(partner && { partner }) };
    }
    const known = await this.names.namesOf(viewer, 'affiliate', [affiliate_id]);
    return { ...(product && { product }), partner: known.get(affiliate_id) ?? '' };
  }
}
