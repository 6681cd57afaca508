import type { VNode } from 'preact';
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
import type { ReportKind } from './lists/report-list.model.js';
import { pageOf } from '../../platform/pages/page-answer.js';
import {
  AFFILIATES_PATH,
  COHORTS_PATH,
  LIST_PATH,
  REPORTS_PATH,
} from '../../platform/pages/paths.js';
import { Actions, CsvLink, Tabs } from '../../platform/pages/ui/facts.view.js';
import { Select } from '../../platform/pages/ui/form.view.js';
import { Empty } from '../../platform/pages/ui/next-step.view.js';
import { numberText } from '../../platform/pages/ui/values.view.js';
import { recordOf } from '../../platform/values/record-of.js';
import { FirstStepsList, type FirstSteps } from './first-steps.view.js';
import { Chart, CHART_SCRIPTS } from './ranges/chart.view.js';
import { type BridgePart, EarningsBridge } from './ranges/earnings-bridge.view.js';
import { namesWithIds } from './ranges/equal-names.view.js';
import { PeriodBar, PrintedRange } from './ranges/period-bar.view.js';
import { rangeText } from '../../platform/pages/ui/day-text.js';
import { fileAddress, OtherFiles, TopItems } from './ranges/report-parts.view.js';
import { type Behind, MainFigures, OtherFigures } from './ranges/key-figures.view.js';
import { CutFilter, type FilterNames, ReportFilters, subjectOf } from './ranges/report-filter.js';
import { addressOf, ofDays, ROLES, type ReportQuery, type Role } from './ranges/report-query.js';
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

/** A report as its page shows it. */
export interface ShownReport {
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

/**
 * Returns the page of a report.
 * @param by the requested step
 */
export function reportPage(shown: ShownReport, by: PeriodStep) {
  const { query, role, range, report, names, isCut, firstSteps } = shown;
  const isEmpty = hasNothing(report.figures);
  const hasChart = !isEmpty && report.periods.length > 0;
  const { by: step, compared, figuresUntilToday: now } = report;
  const figures = {
    role,
    behind: behindOf(shown),
    figures: report.figures,
    compared: compared && { now, before: compared.figures },
  };
  const subject = subjectOf(query.filter, role, names);
  const kicker = 'Report of ';
  const narrowed = [<span class="kicker">{kicker}</span>, subject];
  const whole = addressOf(REPORTS_PATH, { ...query, role, filter: {} });
  return pageOf(
    {
      title: `${subject === '' ? 'Reports' : kicker + subject}, ${rangeText(range)}`,
      heading: subject === '' ? 'Reports' : narrowed,
      ...(subject === '' ? {} : { back: [whole, 'The whole report'] as const }),
      scripts: hasChart ? CHART_SCRIPTS : [],
      tools: <ReportTools {...shown} compared={compared} by={step} />,
    },
    <>
      <PrintedRange query={query} range={range} />
      {/* The link above the heading removes a single filter. */}
      {Object.keys(query.filter).length > 1 && (
        <ReportFilters path={REPORTS_PATH} query={query} role={role} names={names} />
      )}
      {isCut && <CutFilter />}
      {firstSteps !== null && <FirstStepsList {...firstSteps} />}
      {isEmpty && firstSteps === null && <EmptyRange query={query} role={role} />}
      {firstSteps === null && (
        <>
          <MainFigures {...figures} periods={report.periods} hasChart={hasChart} />
          {!isEmpty && <ChartAndBridge {...shown} by={by} />}
          <OtherFigures
            {...figures}
            isPartial={report.unread !== null}
            unpaid={report.unpaid}
            unpaidAddress={unpaidAddressOf(shown)}
          />
        </>
      )}
      {report.unread !== null && <Unread sales={report.unread} />}
      {!isEmpty && <Tops {...shown} />}
      {firstSteps === null && <ReportActions {...shown} />}
    </>,
  );
}

/** Shows the course of the earnings, and beside it what they consist of. */
function ChartAndBridge(shown: ShownReport & { readonly by: PeriodStep }) {
  const { query, role, report, by } = shown;
  const hasBridge = role === 'vendor' && report.unread === null;
  const nameOf = linksIn(shown, 'product', report.top_products);
  const changed = <WhatChanged report={report} role={role} nameOf={nameOf} hasTitle={hasBridge} />;
  return (
    <div class={hasBridge ? 'pair uneven' : undefined}>
      {report.periods.length > 0 && (
        <Chart
          report={report}
          role={role}
          comparison={query.comparison}
          isCoarser={by !== report.by}
          behind={(days) => addressOf(LIST_PATH, { ...ofDays(query, days), role })}
        >
          {!hasBridge && changed}
        </Chart>
      )}
      {hasBridge && (
        <EarningsBridge report={report} to={(part) => bridgeAddress(shown, part)}>
          {changed}
        </EarningsBridge>
      )}
    </div>
  );
}

/** Leads to what is behind the report. */
function ReportActions(shown: ShownReport) {
  const { query, role } = shown;
  return (
    <Actions>
      <a class="button quiet" href={behindOf(shown)('all')}>
        View transactions
      </a>
      {role === 'vendor' && <OtherFiles query={query} role={role} />}
      {role === 'vendor' && (
        <a class="button quiet" href={COHORTS_PATH}>
          Refund cohorts
        </a>
      )}
    </Actions>
  );
}

/** Chooses whose sales the report shows, and its period. */
export function ReportTools({
  query,
  role,
  by,
  range,
  compared,
  isOnlyRole,
}: Pick<ShownReport, 'query' | 'role' | 'isOnlyRole'> & {
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
      <div class="tools">
        <PeriodBar path={REPORTS_PATH} query={{ ...query, role }} range={range} compared={compared}>
          <Select label="Chart" name="by" options={STEP_NAMES} chosen={by} />
        </PeriodBar>
        {range !== null && <CsvLink href={fileAddress(query, role, 'csv')} />}
      </div>
    </>
  );
}

function behindOf({ query, role }: ShownReport): Behind {
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
function unpaidAddressOf({ query, role }: ShownReport): string {
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
function bridgeAddress(shown: ShownReport, part: BridgePart): string {
  if (part === 'affiliates') {
    return addressOf(AFFILIATES_PATH, { ...shown.query, by: null, role: null, filter: {} });
  }
  const figure = FIGURE_OF_PART[part];
  return behindOf(shown)(KIND_OF_PART[part] ?? 'all', figure && { figure });
}

/** Returns true if a range has no transactions. */
export function hasNothing({ sales, pending, refunds, chargebacks }: Figures): boolean {
  return sales + pending.transactions + refunds.transactions + chargebacks.transactions === 0;
}

function EmptyRange({ query, role }: Pick<ShownReport, 'query' | 'role'>) {
  const allTime = addressOf(REPORTS_PATH, { ...query, role, preset: 'all-time', by: null });
  return <Empty next={[allTime, 'Show all time']}>No sales in this period.</Empty>;
}

function Tops(shown: ShownReport) {
  const { query, role, report } = shown;
  const { product, partner } = query.filter;
  const isVendor = role === 'vendor';
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
            nameOf={linksIn(shown, 'product', report.top_products)}
            listOf={listOf('product')}
            net={net}
          />
        )}
        {partner === undefined && (
          <TopItems
            id="top-partner"
            title={isVendor ? 'Top affiliates' : 'Top vendors'}
            items={report.top_partners}
            nameOf={linksIn(shown, 'partner', report.top_partners)}
            listOf={listOf('partner')}
            net={net}
          />
        )}
      </div>
    </>
  );
}

/** Returns a function that shows the name of an item, with a link to its report. */
function linksIn(
  { query, role }: ShownReport,
  name: 'product' | 'partner',
  items: readonly TopItem[],
): (item: TopItem) => VNode {
  const { product, partner } = query.filter;
  // A tracking value is the only filter of a report.
  const kept = { ...(product && { product }), ...(partner && { partner }) };
  const named = namesWithIds(items);
  return (item) => {
    const filter = { ...kept, [name]: String(item.id) };
    return <a href={addressOf(REPORTS_PATH, { ...query, role, filter })}>{named(item)}</a>;
  };
}

/** Orders the top lists by gross or by change. */
function TopOrders({ query, role, top }: ShownReport) {
  return (
    <Tabs
      label="Order of the lists"
      tabs={TOP_ORDERS.map((order) => [order, ORDER_NAMES[order]])}
      current={top}
      to={(order) => addressOf(REPORTS_PATH, { ...query, role }, { top: order })}
    />
  );
}
