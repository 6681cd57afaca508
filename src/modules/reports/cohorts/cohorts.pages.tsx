import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { ApiError } from '../../../api/errors/api-error.js';
import { formatDecimal, quotient } from '../../../platform/values/money.js';
import { isCalendarDay, monthOf, todayInUtc } from '../../../platform/values/time.js';
import {
  COHORT_MEASURES,
  MONTHS_AFTER,
  type Cohort,
  type CohortItem,
  type CohortItems,
  type CohortMeasure,
  type CohortPage,
  type CohortRequest,
  type CohortScope,
} from './cohort.model.js';
import { CohortsService } from './cohorts.service.js';
import type { CountAndAmount } from '../report.model.js';
import { csvDownload, pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { COHORTS_PATH, REPORTS_PATH, withQuery } from '../../../platform/pages/paths.js';
import { oneOf, type SignedInVisit } from '../../../platform/pages/visit.js';
import { Neighbours } from '../../../platform/pages/ui/facts.view.js';
import { ChoiceForm, Select } from '../../../platform/pages/ui/form.view.js';
import {
  amounts,
  counts,
  numbers,
  Table,
  type Column,
} from '../../../platform/pages/ui/table.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import { monthText } from '../../../platform/pages/ui/day-text.js';
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
/** Shorter names for the form, which has little room on a phone. */
const CHOICES = { ...RETURN_NAMES, both: 'Both' } as const;
const MEASURE_NAMES = { sales: 'Number of sales', money: 'Money' } as const;
/** Lowest share of each shade of a cell, in tenths of a percent. */
const SHADES = [1n, 10n, 25n, 50n, 100n, 200n] as const;

/** Serves the page with the refunds and chargebacks of each month's sales. */
@Injectable()
export class CohortPages implements Pages {
  constructor(private readonly cohorts: CohortsService) {}

  addTo(routes: PageRoutes): void {
    routes.get('/reports/cohorts', (visit) => this.page(visit));
    routes.get('/reports/cohorts.csv', (visit) => this.download(visit));
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
    { title: label, isWide: true, back: [REPORTS_PATH, 'Back to the report'] },
    <>
      <CohortForm query={query} items={items} />
      <Explanation query={query} items={items} undated={undated} />
      {cohorts.length === 0 ? (
        <Empty next={[REPORTS_PATH, 'Go to Reports']}>No sales in these months.</Empty>
      ) : (
        <>
          <BestAndWorst query={query} cohorts={cohorts} />
          <Table isShaded label={label} columns={columnsOf(query.measure)} rows={cohorts} />
        </>
      )}
      <Neighbours
        previous={{ words: 'Newer', href: newer && cohortAddress(COHORTS_PATH, query, newer) }}
        next={{ words: 'Older', href: older && cohortAddress(COHORTS_PATH, query, older) }}
      >
        <a class="button quiet" href={cohortAddress(`${COHORTS_PATH}.csv`, query, null)}>
          Download as CSV
        </a>
      </Neighbours>
    </>,
  );
}

function Explanation({ query, items, undated }: Shown & { readonly undated: number }) {
  const whole = query.measure === 'sales' ? 'sales' : 'gross';
  const { scope } = query.request;
  const all = scope.series === 'product' ? items.products : items.affiliates;
  return (
    <>
      <p>
        Share of each month’s {whole} refunded by the end of that month (M0), one month later (M1),
        and so on.{' '}
        {scope.series !== 'total' && (
          <>
            Only sales of {scope.series} {all.find(({ id }) => id === scope.id)?.name ?? scope.id}.
          </>
        )}{' '}
        This month is not over, so the last value of each row can still rise.
      </p>
      {undated > 0 && (
        <p>
          {numberText(undated)} of them {undated === 1 ? 'has' : 'have'} no date: counted in the
          month of the sale, without an amount.
        </p>
      )}
    </>
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
    <ChoiceForm action={COHORTS_PATH} label="Sales and returns">
      <Select label="Sales" name="of" options={{ '': 'All sales' }} chosen={query.of}>
        {options('Products', 'product', items.products)}
        {options('Affiliates', 'affiliate', items.affiliates)}
      </Select>
      <Select label="Count" name="returns" options={CHOICES} chosen={query.returns} />
      <Select label="Share of" name="share" options={MEASURE_NAMES} chosen={query.measure} />
      <button>Apply</button>
    </ChoiceForm>
  );
}

function columnsOf(measure: CohortMeasure): Column<Cohort>[] {
  const shares = (name: string, backOf: (cohort: Cohort) => CountAndAmount | undefined) =>
    numbers<Cohort>(name, (cohort) => shareOf(cohort, backOf(cohort), measure));
  return [
    { name: 'Sold in', cell: ({ month }) => monthText(month) },
    shares('To date', ({ to_date }) => to_date),
    counts('Sales', ({ sales }) => sales),
    amounts('Gross', ({ gross }) => gross),
    ...Array.from({ length: MONTHS_AFTER + 1 }, (_, month) =>
      shares(`M${month}`, ({ after }) => after[month]),
    ),
  ];
}

/** Names the months with the lowest and the highest share to date, except the one that goes on. */
function BestAndWorst({
  query: { measure, request },
  cohorts,
}: {
  readonly query: CohortQuery;
  readonly cohorts: readonly Cohort[];
}) {
  const shared = cohorts.flatMap(({ month, to_date, ...cohort }) => {
    const share = tenthsOf(cohort, to_date, measure);
    return share === null || month === monthOf(request.today) ? [] : [{ month, share }];
  });
  const [best, ...others] = shared.toSorted((one, other) => Number(one.share - other.share));
  const worst = others.at(-1);
  if (best === undefined || worst === undefined || best.share === worst.share) return null;
  return (
    <p>
      The best month is {monthText(best.month)} with {shareText(best.share)}, the worst is{' '}
      {monthText(worst.month)} with {shareText(worst.share)}.
    </p>
  );
}

/** Returns a share in tenths of a percent; null if there is nothing to take a share of. */
function tenthsOf(
  { sales, gross }: Pick<Cohort, 'sales' | 'gross'>,
  back: CountAndAmount,
  measure: CohortMeasure,
): bigint | null {
  const [part, whole] =
    measure === 'sales' ? [BigInt(back.transactions), BigInt(sales)] : [back.amount, gross];
  return whole <= 0n ? null : quotient(part * 1_000n, whole);
}

function shareText(share: bigint): string {
  return `${formatDecimal(share, 1)}%`;
}

/**
 * Shows a share with a shade. A future month is empty, and a dash means that there is nothing to
 * take a share of.
 */
function shareOf(
  cohort: Cohort,
  back: CountAndAmount | undefined,
  measure: CohortMeasure,
): VNode | null {
  if (back === undefined) return null;
  const share = tenthsOf(cohort, back, measure);
  if (share === null) return <span class="shade">–</span>;
  const shade = SHADES.filter((from) => share >= from).length;
  return <span class={`shade shade-${shade}`}>{shareText(share)}</span>;
}
