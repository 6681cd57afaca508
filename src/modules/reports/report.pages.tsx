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
} from './report.model.js';
import type { ListFigure } from '../../ledger/sums/list-figures.js';
import { ApiApplicationsService, TwoFactorService } from '../accounts/index.js';
import { UpstreamsService } from '../mirror/index.js';
import { WebhooksService } from '../webhooks/index.js';
import type { ReportKind } from './lists/report-list.model.js';
import { ReportsService } from './reports.service.js';
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
import { Select } from '../../platform/pages/ui/form.view.js';
import { Empty } from '../../platform/pages/ui/next-step.view.js';
import { recordOf } from '../../platform/values/record-of.js';
import { todayInUtc } from '../../platform/values/time.js';
import { FirstStepsList, type FirstSteps } from './first-steps.view.js';
import { Chart, CHART_SCRIPTS } from './ranges/chart.view.js';
import { type BridgePart, EarningsBridge } from './ranges/earnings-bridge.view.js';
import { PeriodBar, PrintedRange } from './ranges/period-bar.view.js';
import { rangeText } from '../../platform/pages/ui/day-text.js';
import { Downloads, downloadsOf, TopItems } from './ranges/report-parts.view.js';
import { KeyFigures, type Behind } from './ranges/key-figures.view.js';
import {
  addressOf,
  ofDays,
  inputOf,
  rangeProblems,
  ROLES,
  stepFor,
  type ReportQuery,
  type Role,
} from './ranges/report-query.js';
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
}

@Injectable()
export class ReportPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly applications: ApiApplicationsService,
    private readonly twoFactor: TwoFactorService,
    private readonly upstreams: UpstreamsService,
    private readonly webhooks: WebhooksService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/reports', (visit) => this.report(visit));
  }

  private async report(visit: SignedInVisit): Promise<PageAnswer> {
    const { query, viewer, range } = await inputOf(visit, this.reports);
    const { role } = viewer;
    if (range === null) {
      const tools = <ReportTools query={query} role={role} range={null} compared={null} by="day" />;
      return pageOf(
        { title: 'Reports', isWide: true, problems: rangeProblems(query), tools },
        null,
      );
    }
    const { attribution, preset } = query;
    const by = query.by ?? stepFor(range);
    // A range of all time has nothing before it to compare with.
    const comparison = preset === 'all-time' ? 'none' : query.comparison;
    const top = oneOf(TOP_ORDERS, visit.query('top')) ?? 'gross';
    const asked = { viewer, ...range, attribution, by, comparison, top, today: todayInUtc() };
    const report = await this.reports.report(asked);
    const isEmpty = hasNothing(report.figures);
    const firstSteps = isEmpty && role === 'vendor' ? await this.firstSteps(viewer.user_id) : null;
    const shown = { query: { ...query, comparison }, role, range, report, top, firstSteps };
    return reportPage(shown, by);
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
}

/** @param by the requested step */
function reportPage(shown: Shown, by: PeriodStep) {
  const { query, role, range, report, firstSteps } = shown;
  const isEmpty = hasNothing(report.figures);
  const hasChart = !isEmpty && report.periods.length > 0;
  const { by: step, compared } = report;
  return pageOf(
    {
      title: `Reports, ${rangeText(range)}`,
      heading: 'Reports',
      isWide: true,
      scripts: hasChart ? CHART_SCRIPTS : [],
      tools: <ReportTools query={query} role={role} range={range} compared={compared} by={step} />,
    },
    <>
      <PrintedRange query={query} range={range} />
      {firstSteps !== null && <FirstStepsList {...firstSteps} />}
      {isEmpty && firstSteps === null && <EmptyRange query={query} role={role} />}
      {firstSteps === null && (
        <KeyFigures
          role={role}
          behind={behindOf(shown)}
          figures={report.figures}
          periods={report.periods}
          compared={
            report.compared && { now: report.figuresUntilToday, before: report.compared.figures }
          }
        />
      )}
      <div class="pair">
        {role === 'vendor' && !isEmpty && (
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
  ...ranges
}: Pick<Shown, 'query' | 'role'> & {
  readonly range: DayRange | null;
  readonly compared: DayRange | null;
  readonly by: PeriodStep;
}) {
  return (
    <>
      <Tabs
        label="Whose sales"
        tabs={ROLES.map((each) => [each, ROLE_NAMES[each]])}
        current={role}
        to={(each) => addressOf(REPORTS_PATH, { ...query, role: each })}
      />
      <PeriodBar path={REPORTS_PATH} query={{ ...query, role }} {...ranges}>
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

/** Returns the address of what is behind a part of the earnings. */
function bridgeAddress(shown: Shown, part: BridgePart): string {
  if (part === 'affiliates') {
    return addressOf(AFFILIATES_PATH, { ...shown.query, by: null, role: null });
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
  const { role, report } = shown;
  const isVendor = role === 'vendor';
  const link = (filter: string) => (item: TopItem) => (
    <a href={behindOf(shown)('all', { [filter]: String(item.id) })}>{item.name}</a>
  );
  const net = isVendor ? 'Net earnings' : 'My commissions';
  return (
    <>
      <WhatChanged report={report} role={role} />
      {report.compared !== null && <TopOrders {...shown} />}
      <div class="pair wide">
        <TopItems
          id="top-product"
          title="Top products"
          items={report.top_products}
          nameOf={link('product')}
          net={net}
        />
        <TopItems
          id="top-partner"
          title={isVendor ? 'Top affiliates' : 'Top vendors'}
          items={report.top_partners}
          nameOf={link('partner')}
          net={net}
        />
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
