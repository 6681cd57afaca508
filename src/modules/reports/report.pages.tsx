import { Injectable } from '@nestjs/common';
import {
  type DayRange,
  type Figures,
  PERIOD_STEPS,
  type PeriodStep,
  type Report,
  TOP_ORDERS,
  type TopItem,
  type TopOrder,
  type Viewer,
} from './report.model.js';
import type { ListFigure } from '../../ledger/sums/list-figures.js';
import { ApiApplicationsService, TwoFactorService } from '../accounts/index.js';
import { UpstreamsService } from '../mirror/index.js';
import { WebhooksService } from '../webhooks/index.js';
import type { FigureFilter } from './figures/figure.model.js';
import { ItemNamesService } from './item-names.service.js';
import type { ReportKind } from './lists/report-list.model.js';
import { stepFor } from './figures.js';
import { ReportsService } from './reports.service.js';
import { Audiences, type Audience } from '../../platform/pages/audiences.js';
import { pageOf, type PageAnswer } from '../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../platform/pages/page-router.js';
import {
  AFFILIATES_PATH,
  COHORTS_PATH,
  LIST_PATH,
  REPORTS_PATH,
} from '../../platform/pages/paths.js';
import { oneOf, type SignedInVisit } from '../../platform/pages/visit.js';
import { Actions, Tabs } from '../../platform/pages/ui/facts.view.js';
import { problemsOf, Select } from '../../platform/pages/ui/form.view.js';
import { Empty } from '../../platform/pages/ui/next-step.view.js';
import { numberText } from '../../platform/pages/ui/values.view.js';
import { recordOf } from '../../platform/values/record-of.js';
import { todayInUtc } from '../../platform/values/time.js';
import { FirstStepsList, type FirstSteps } from './first-steps.view.js';
import { Chart, CHART_SCRIPTS } from './ranges/chart.view.js';
import { type BridgePart, EarningsBridge } from './ranges/earnings-bridge.view.js';
import { namesWithIds } from './ranges/equal-names.view.js';
import { PeriodBar, PrintedRange } from './ranges/period-bar.view.js';
import { rangeText, rangeTextIn } from '../../platform/pages/ui/day-text.js';
import { Downloads, downloadsOf, TopItems } from './ranges/report-parts.view.js';
import { KeyFigures, type Behind } from './ranges/key-figures.view.js';
import {
  combinedFilter,
  CutFilter,
  figureFilterOf,
  type FilterNames,
  FilterProblems,
  reportFilterIn,
  ReportFilters,
} from './ranges/report-filter.js';
import {
  addressOf,
  ofDays,
  inputOf,
  rangeProblems,
  ROLES,
  type ReportQuery,
  type Role,
} from './ranges/report-query.js';
import { unpaidAddress } from './ranges/unpaid-address.js';
import { WhatChanged } from './ranges/what-changed.view.js';

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  vendor: 'Sales of my products',
  affiliate: 'Sales I referred',
};
const ORDER_NAMES: Readonly<Record<TopOrder, string>> = {
  gross: 'Highest gross',
  change: 'Largest change',
};
const STEP_NAMES = recordOf(PERIOD_STEPS, (step) => `By ${step}`);

interface Shown {
  readonly query: ReportQuery;
  readonly role: Role;
  readonly range: DayRange;
  readonly report: Report;
  readonly top: TopOrder;
  /** Null for a user with sales. */
  readonly firstSteps: FirstSteps | null;
  readonly names: FilterNames;
  /** True if parts of the filter do not go together and were left out. */
  readonly isCut: boolean;
  /** True if the user has sales of one role only, which the report shows. */
  readonly isOnlyRole: boolean;
}

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
        { title: 'Reports', isWide: true, problems, tools },
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

/** @param by the requested step */
function reportPage(shown: Shown, by: PeriodStep) {
  const { query, role, range, report, names, isCut, firstSteps } = shown;
  const isEmpty = hasNothing(report.figures);
  const hasChart = !isEmpty && report.periods.length > 0;
  const { by: step, compared } = report;
  return pageOf(
    {
      title: `Reports, ${rangeText(range)}`,
      heading: 'Reports',
      isWide: true,
      scripts: hasChart ? CHART_SCRIPTS : [],
      tools: <ReportTools {...shown} compared={compared} by={step} />,
    },
    <>
      <PrintedRange query={query} range={range} />
      <ReportFilters path={REPORTS_PATH} query={query} role={role} names={names} />
      {isCut && <CutFilter />}
      {firstSteps !== null && <FirstStepsList {...firstSteps} />}
      {isEmpty && firstSteps === null && <EmptyRange query={query} role={role} />}
      {firstSteps === null && (
        <KeyFigures
          role={role}
          behind={behindOf(shown)}
          isPartial={report.unread !== null}
          unpaid={report.unpaid}
          unpaidAddress={unpaidAddressOf(shown)}
          figures={report.figures}
          periods={report.periods}
          compared={
            report.compared && {
              now: report.figuresUntilToday,
              before: report.compared.figures,
              days: rangeTextIn(report.compared, range.end_date),
            }
          }
        />
      )}
      {!isEmpty && <WhatChanged report={report} role={role} />}
      <div class="pair">
        {role === 'vendor' && !isEmpty && report.unread === null && (
          <EarningsBridge report={report} to={(part) => bridgeAddress(shown, part)} />
        )}
        {hasChart && (
          <Chart
            report={report}
            role={role}
            comparison={query.comparison}
            isCoarser={by !== report.by}
            behind={(days) => addressOf(LIST_PATH, { ...ofDays(query, days), role })}
          />
        )}
      </div>
      {report.unread !== null && <Unread sales={report.unread} />}
      {!isEmpty && <Tops {...shown} />}
      {firstSteps === null && <ReportActions {...shown} />}
    </>,
  );
}

/** Leads to what is behind the report. */
function ReportActions(shown: Shown) {
  const { query, role } = shown;
  return (
    <Actions>
      <a class="button quiet" href={behindOf(shown)('all')}>
        View transactions
      </a>
      <Downloads links={downloadsOf(query, role)} />
      {role === 'vendor' && (
        <a class="button quiet" href={COHORTS_PATH}>
          Refund cohorts
        </a>
      )}
    </Actions>
  );
}

/** Chooses whose sales the report shows, and its period. */
function ReportTools({
  query,
  role,
  by,
  range,
  compared,
  isOnlyRole,
}: Pick<Shown, 'query' | 'role' | 'isOnlyRole'> & {
  readonly range: DayRange | null;
  readonly compared: DayRange | null;
  readonly by: PeriodStep;
}) {
  return (
    <>
      {!isOnlyRole && (
        <Tabs
          label="Whose sales"
          tabs={ROLES.map((each) => [each, ROLE_NAMES[each]])}
          current={role}
          to={(each) =>
            addressOf(REPORTS_PATH, each === role ? query : { ...query, role: each, filter: {} })
          }
        />
      )}
      <PeriodBar path={REPORTS_PATH} query={{ ...query, role }} range={range} compared={compared}>
        <Select label="Chart" name="by" options={STEP_NAMES} chosen={by} />
      </PeriodBar>
    </>
  );
}

function behindOf({ query, role }: Shown): Behind {
  return (kind, more) => addressOf(LIST_PATH, { ...query, role }, { kind, ...more });
}

const KIND_OF_PART: Readonly<Partial<Record<BridgePart, ReportKind>>> = {
  gross: 'sales',
  refunds: 'refunds',
  chargebacks: 'chargebacks',
};
const FIGURE_OF_PART: Readonly<Partial<Record<BridgePart, ListFigure>>> = {
  fees: 'service_fees',
  agents: 'agent_commissions',
  partners: 'jv_commissions',
  other: 'other',
};

/** Returns the address of what a vendor owes, or of the sales with commissions that are owed. */
function unpaidAddressOf({ query, role }: Shown): string {
  const { partner } = query.filter;
  if (role === 'affiliate' || partner !== undefined) return unpaidAddress(query, null, role);
  const sorted = { sort: 'unpaid_total', order: 'desc' };
  return addressOf(AFFILIATES_PATH, { ...query, by: null, role: null, filter: {} }, sorted);
}

/** Says what is left out, because it would read too many sales. */
function Unread({ sales }: { readonly sales: number }) {
  return (
    <p class="hint">
      Fees, commissions, pending sales and the lists of products and affiliates are left out: they
      would read the {numberText(sales)} sales and refunds of a period. Choose a shorter period.
    </p>
  );
}

/** Returns the address of what is behind a part of the earnings. */
function bridgeAddress(shown: Shown, part: BridgePart): string {
  if (part === 'affiliates') {
    return addressOf(AFFILIATES_PATH, { ...shown.query, by: null, role: null, filter: {} });
  }
  const figure = FIGURE_OF_PART[part];
  return behindOf(shown)(KIND_OF_PART[part] ?? 'all', figure && { figure });
}

function hasNothing({ sales, pending, refunds, chargebacks }: Figures): boolean {
  return sales + pending.transactions + refunds.transactions + chargebacks.transactions === 0;
}

function EmptyRange({ query, role }: Pick<Shown, 'query' | 'role'>) {
  const allTime = addressOf(REPORTS_PATH, { ...query, role, preset: 'all-time', by: null });
  return <Empty next={[allTime, 'Show all time']}>No sales in this period.</Empty>;
}

function Tops(shown: Shown) {
  const { query, role, report } = shown;
  const { product, partner } = query.filter;
  const isVendor = role === 'vendor';
  // A tracking value is the only filter of a report.
  const kept = { ...(product && { product }), ...(partner && { partner }) };
  const linkIn = (name: string, items: readonly TopItem[]) => {
    const named = namesWithIds(items);
    return (item: TopItem) => {
      const filter = { ...kept, [name]: String(item.id) };
      return <a href={addressOf(REPORTS_PATH, { ...query, role, filter })}>{named(item)}</a>;
    };
  };
  const listOf = (filter: string) => (item: TopItem) =>
    behindOf(shown)('sales', { [filter]: String(item.id) });
  const net = isVendor ? 'Net earnings' : 'My commissions';
  return (
    <>
      {report.compared !== null && report.unread === null && <TopOrders {...shown} />}
      <div class="pair wide">
        {product === undefined && (
          <TopItems
            id="top-product"
            title="Top products"
            items={report.top_products}
            nameOf={linkIn('product', report.top_products)}
            listOf={listOf('product')}
            net={net}
          />
        )}
        {partner === undefined && (
          <TopItems
            id="top-partner"
            title={isVendor ? 'Top affiliates' : 'Top vendors'}
            items={report.top_partners}
            nameOf={linkIn('partner', report.top_partners)}
            listOf={listOf('partner')}
            net={net}
          />
        )}
      </div>
    </>
  );
}

/** Orders the top lists by gross or by change. */
function TopOrders({ query, role, top }: Shown) {
  return (
    <Tabs
      label="Order of the lists"
      tabs={TOP_ORDERS.map((order) => [order, ORDER_NAMES[order]])}
      current={top}
      to={(order) => addressOf(REPORTS_PATH, { ...query, role }, { top: order })}
    />
  );
}
