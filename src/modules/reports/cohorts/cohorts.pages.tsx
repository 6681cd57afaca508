import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { isCalendarDay, monthOf, todayInUtc } from '../../../platform/values/time.js';
import {
  COHORT_MEASURES,
  type CohortItem,
  type CohortItems,
  type CohortMeasure,
  type CohortPage,
  type CohortRequest,
  type CohortScope,
} from './cohort.model.js';
import { CohortsService } from './cohorts.service.js';
import { columnsOf, Highlights } from './cohorts.view.js';
import {
  csvDownload,
  pageOf,
  redirectWithQuery,
  type PageAnswer,
} from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { COHORTS_PATH, REPORTS_PATH, withQuery } from '../../../platform/pages/paths.js';
import { oneOf, type SignedInVisit } from '../../../platform/pages/visit.js';
import { CsvLink, Neighbours } from '../../../platform/pages/ui/facts.view.js';
import { ChoiceForm, Select } from '../../../platform/pages/ui/form.view.js';
import { Table } from '../../../platform/pages/ui/table.view.js';
import { Help } from '../../../platform/pages/ui/help.view.js';
import { Menu } from '../../../platform/pages/ui/menu.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';

/** Earliest month that a ledger can have. */
const FIRST_MONTH = '1000-01-01';

const RETURNS = ['both', 'refunds', 'chargebacks'] as const;

/** Query of the page; the address contains only values that differ from the defaults. */
interface CohortQuery {
  /** `product-12`, `affiliate-34`, or empty for all sales. */
  readonly of: string;
  readonly returns: (typeof RETURNS)[number];
  readonly measure: CohortMeasure;
  readonly request: CohortRequest;
}

const RETURN_NAMES = {
  both: 'Refunds and chargebacks',
  refunds: 'Refunds',
  chargebacks: 'Chargebacks',
} as const;
const MEASURE_NAMES = { sales: 'Number of sales', money: 'Money' } as const;
/** Meaning of a dot, which stands for a month to which nothing was added. */
const UNCHANGED = {
  sales: {
    both: 'no more refunds or chargebacks',
    refunds: 'no more refunds',
    chargebacks: 'no more chargebacks',
  },
  money: {
    both: 'no more money refunded or charged back',
    refunds: 'no more money refunded',
    chargebacks: 'no more money charged back',
  },
} as const satisfies Readonly<
  Record<CohortMeasure, Readonly<Record<CohortQuery['returns'], string>>>
>;
/** Serves the page with the refunds and chargebacks of each month's sales. */
@Injectable()
export class CohortPages implements Pages {
  constructor(private readonly cohorts: CohortsService) {}

  addTo(routes: PageRoutes): void {
    routes.get('/reports/cohorts', (visit) => this.page(visit));
    routes.get('/reports/cohorts.csv', (visit) => this.download(visit));
    // People type this address.
    routes.get('/cohorts', (visit) => redirectWithQuery(visit, COHORTS_PATH));
  }

  private async page(visit: SignedInVisit): Promise<PageAnswer> {
    const query = cohortQueryOf(visit);
    const page = await this.cohorts.page(query.request);
    const items = await this.cohorts.items(query.request, page.cohorts.length > 0);
    return cohortsPage(query, page, items);
  }

  /** Downloads all months of sales, not only those of a page. */
  private download(visit: SignedInVisit): PageAnswer {
    const { request, returns, measure } = cohortQueryOf(visit);
    const name = `${returns === 'both' ? 'returns' : returns}-by-month-of-sale`;
    return csvDownload(name, this.cohorts.csv(request, measure));
  }
}

const SCOPE = /^(product|affiliate)-(\d{1,15})$/;

/** @throws ApiError invalid_parameters for an unknown product or affiliate, or an invalid month */
function cohortQueryOf(visit: SignedInVisit): CohortQuery {
  const today = todayInUtc();
  const of = visit.query('of');
  const scope = scopeOf(of);
  const returns = oneOf(RETURNS, visit.query('returns')) ?? RETURNS[0];
  const measure = oneOf(COHORT_MEASURES, visit.query('share')) ?? COHORT_MEASURES[0];
  const all = ['refund', 'chargeback'] as const;
  const kinds = all.filter((kind) => returns === 'both' || returns === `${kind}s`);
  const until = untilOf(visit.query('until'), today);
  const request = { vendor_id: visit.user.id, scope, kinds, until, today };
  return { of, returns, measure, request };
}

/** @param until null for the newest page */
function cohortAddress(
  path: string,
  { of, returns, measure }: CohortQuery,
  until: string | null,
): string {
  return withQuery(path, {
    ...(of === '' ? {} : { of }),
    ...(returns === RETURNS[0] ? {} : { returns }),
    ...(measure === COHORT_MEASURES[0] ? {} : { share: measure }),
    ...(until === null ? {} : { until: until.slice(0, 7) }),
  });
}

function scopeOf(of: string): CohortScope {
  if (of === '') return { series: 'total' };
  const [, series, id] = SCOPE.exec(of) ?? [];
  if (series === undefined)
    throw new ApiError('invalid_parameters', 'Unknown product or affiliate.');
  return { series: series === 'product' ? series : 'affiliate', id: Number(id) };
}

function untilOf(month: string, today: string): string {
  const thisMonth = monthOf(today);
  if (month === '') return thisMonth;
  const first = `${month}-01`;
  if (!isCalendarDay(first) || first < FIRST_MONTH) {
    throw new ApiError('invalid_parameters', 'A month must be written as 2030-12.');
  }
  return first < thisMonth ? first : thisMonth;
}

interface Shown {
  readonly query: CohortQuery;
  readonly items: CohortItems;
}

function cohortsPage(
  query: CohortQuery,
  { cohorts, undated, older, newer }: CohortPage,
  items: CohortItems,
) {
  const label = `${RETURN_NAMES[query.returns]} by month of sale`;
  return pageOf(
    {
      title: 'Refund cohorts',
      heading: (
        <>
          Refund cohorts{' '}
          <Help id="cohorts-help" about="the shares">
            {label}: what came back of each month’s {query.measure === 'sales' ? 'sales' : 'gross'}{' '}
            by the end of that month, one month later, and so on. This month is not over, so the
            last value of each row can still rise.
          </Help>
        </>
      ),
      tools: <CohortMenu query={query} items={items} />,
    },
    <>
      <Remarks query={query} items={items} undated={undated} />
      {cohorts.length === 0 ? (
        <Empty next={[REPORTS_PATH, 'Go to Reports']}>No sales in these months.</Empty>
      ) : (
        <>
          <Highlights measure={query.measure} today={query.request.today} cohorts={cohorts} />
          <p class="hint">
            Returned by the end of the month of the sale (Same), and of each month after it. A dot:{' '}
            {UNCHANGED[query.measure][query.returns]} in that month.
          </p>
          <Table isShaded label={label} columns={columnsOf(query.measure)} rows={cohorts} />
        </>
      )}
      <Neighbours
        previous={{ words: 'Newer', href: newer && cohortAddress(COHORTS_PATH, query, newer) }}
        next={{ words: 'Older', href: older && cohortAddress(COHORTS_PATH, query, older) }}
      />
    </>,
  );
}

/** Says which sales are covered, unless it is all of them with a date for each refund. */
function Remarks({ query, items, undated }: Shown & { readonly undated: number }) {
  const { scope } = query.request;
  return (
    <>
      {scope.series !== 'total' && (
        <p class="hint">
          Only sales of {scope.series} {scopeName(query, items)}.
        </p>
      )}
      {undated > 0 && (
        <p class="hint">
          {numberText(undated)} of them {undated === 1 ? 'has' : 'have'} no date: counted in the
          month of the sale, without an amount.
        </p>
      )}
    </>
  );
}

function scopeName({ request: { scope } }: CohortQuery, items: CohortItems): string {
  if (scope.series === 'total') return 'All sales';
  const all = scope.series === 'product' ? items.products : items.affiliates;
  return all.find(({ id }) => id === scope.id)?.name ?? String(scope.id);
}

/** Chooses what the page shows; its button says what is chosen. */
function CohortMenu({ query, items }: Shown) {
  return (
    <div class="tools">
      <div class="period-bar">
        <Menu
          isButton
          name="cohorts"
          class="end"
          summary={
            <>
              {scopeName(query, items)}{' '}
              <span>
                {RETURN_NAMES[query.returns]}, by {query.measure === 'sales' ? 'number' : 'money'}
              </span>
            </>
          }
        >
          <CohortForm query={query} items={items} />
        </Menu>
      </div>
      <CsvLink href={cohortAddress(`${COHORTS_PATH}.csv`, query, null)} />
    </div>
  );
}

function CohortForm({ query, items }: Shown) {
  const options = (label: string, series: string, all: readonly CohortItem[]) =>
    all.length > 0 && (
      <optgroup label={label}>
        {all.map(({ id, name }) => (
          <option value={`${series}-${id}`} selected={query.of === `${series}-${id}`}>
            {name}
          </option>
        ))}
      </optgroup>
    );
  return (
    <ChoiceForm class="options" action={COHORTS_PATH} label="Sales and returns">
      <Select label="Sales" name="of" options={{ '': 'All sales' }} chosen={query.of}>
        {options('Products', 'product', items.products)}
        {options('Affiliates', 'affiliate', items.affiliates)}
      </Select>
      <Select label="Count" name="returns" options={RETURN_NAMES} chosen={query.returns} />
      <Select label="Share of" name="share" options={MEASURE_NAMES} chosen={query.measure} />
      <button>Apply</button>
    </ChoiceForm>
  );
}
