import { formatDecimal, quotient } from '../../../common/money.js';
import {
  MONTHS_AFTER,
  type Cohort,
  type CohortItem,
  type CohortItems,
  type CohortMeasure,
  type CohortPage,
} from '../../../modules/reports/cohorts/cohort.model.js';
import type { CountAndAmount } from '../../../modules/reports/report.model.js';
import type { Page } from '../../http/page-answer.js';
import { Select } from '../../ui/select.view.js';
import { Table, type Column } from '../../ui/table.view.js';
import { Money, numberText } from '../figures.view.js';
import { monthText } from '../period-text.js';
import { cohortAddress, COHORTS_PATH, RETURNS, type CohortQuery } from './cohort-query.js';

const RETURN_NAMES = {
  both: 'Refunds and chargebacks',
  refunds: 'Refunds',
  chargebacks: 'Chargebacks',
} as const;
/** Shorter names for the form, which has little room on a phone. */
const CHOICES = { ...RETURN_NAMES, both: 'Both' } as const;
const MEASURES = ['sales', 'money'] as const satisfies readonly CohortMeasure[];
const MEASURE_NAMES = { sales: 'Number of sales', money: 'Money' } as const;
/** Lowest share of each shade of a cell, in tenths of a percent. */
const SHADES = [1n, 10n, 25n, 50n, 100n, 200n] as const;

interface Shown {
  readonly query: CohortQuery;
  readonly page: CohortPage;
  readonly items: CohortItems;
}

export function cohortsPage({ query, page, items }: Shown): Page {
  const { cohorts, undated, older, newer } = page;
  const label = `${RETURN_NAMES[query.returns]} by month of sale`;
  return {
    kind: 'page',
    title: label,
    isWide: true,
    view: (
      <>
        <p class="no-print">
          <a href="/account/reports">Back to the report</a>
        </p>
        <h1>{label}</h1>
        <CohortForm query={query} items={items} />
        <Explanation query={query} items={items} undated={undated} />
        {cohorts.length === 0 ? (
          <p class="notice">No sales in these months.</p>
        ) : (
          <Table isWide label={label} columns={columnsOf(query.measure)} rows={cohorts} />
        )}
        <nav class="pages" aria-label="Pages">
          {newer !== null && (
            <a class="button quiet" href={cohortAddress(COHORTS_PATH, query, newer)} rel="prev">
              Newer
            </a>
          )}
          {older !== null && (
            <a class="button quiet" href={cohortAddress(COHORTS_PATH, query, older)} rel="next">
              Older
            </a>
          )}
          <a class="button quiet" href={cohortAddress(`${COHORTS_PATH}.csv`, query, null)}>
            Download as CSV
          </a>
        </nav>
      </>
    ),
  };
}

function Explanation({
  query,
  items,
  undated,
}: Pick<Shown, 'query' | 'items'> & { readonly undated: number }) {
  const whole = query.measure === 'sales' ? 'sales' : 'gross';
  return (
    <>
      <p>
        What share of each month’s {whole} came back until the end of the month of the sale (M0), of
        the month after it (M1), and so on. <Scope query={query} items={items} /> This month is not
        over, so the last value of each row can still rise.
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

/** Names the product or the affiliate, unless the page shows all sales. */
function Scope({
  query: { scope },
  items: { products, affiliates },
}: Pick<Shown, 'query' | 'items'>) {
  if (scope.series === 'total') return null;
  const all = scope.series === 'product' ? products : affiliates;
  const item = all.find(({ id }) => id === scope.id);
  return (
    <>
      Only sales of {scope.series} {item?.name ?? scope.id}.
    </>
  );
}

function CohortForm({ query, items }: Pick<Shown, 'query' | 'items'>) {
  return (
    <form class="choose card" action={COHORTS_PATH} aria-label="Sales and returns">
      <Select label="Sales" name="of" options={['']} names={{ '': 'All sales' }} chosen={query.of}>
        <Items label="Products" prefix="product" items={items.products} chosen={query.of} />
        <Items label="Affiliates" prefix="affiliate" items={items.affiliates} chosen={query.of} />
      </Select>
      <Select
        label="What came back"
        name="returns"
        options={RETURNS}
        names={CHOICES}
        chosen={query.returns}
      />
      <Select
        label="Share of"
        name="share"
        options={MEASURES}
        names={MEASURE_NAMES}
        chosen={query.measure}
      />
      <button>Show</button>
    </form>
  );
}

function Items({
  label,
  prefix,
  items,
  chosen,
}: {
  readonly label: string;
  readonly prefix: string;
  readonly items: readonly CohortItem[];
  readonly chosen: string;
}) {
  if (items.length === 0) return null;
  return (
    <optgroup label={label}>
      {items.map(({ id, name }) => (
        <option value={`${prefix}-${id}`} selected={chosen === `${prefix}-${id}`}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}

function columnsOf(measure: CohortMeasure): Column<Cohort>[] {
  const months = Array.from({ length: MONTHS_AFTER + 1 }, (_, month) => month);
  return [
    { name: 'Sold in', cell: ({ month }) => monthText(month) },
    { name: 'Sales', isNumber: true, cell: ({ sales }) => numberText(sales) },
    { name: 'Gross', isNumber: true, cell: ({ gross }) => <Money cents={gross} /> },
    ...months.map((month) => ({
      name: `M${month}`,
      isNumber: true,
      cell: (cohort: Cohort) => (
        <Share cohort={cohort} measure={measure} back={cohort.after[month]} />
      ),
    })),
    {
      name: 'To date',
      isNumber: true,
      cell: (cohort) => <Share cohort={cohort} measure={measure} back={cohort.to_date} />,
    },
  ];
}

/**
 * Shows a share with a shade. A future month is empty, and a dash means that there is nothing to
 * take a share of.
 */
function Share({
  cohort,
  measure,
  back,
}: {
  readonly cohort: Cohort;
  readonly measure: CohortMeasure;
  readonly back: CountAndAmount | undefined;
}) {
  if (back === undefined) return null;
  const [part, whole] =
    measure === 'sales'
      ? [BigInt(back.transactions), BigInt(cohort.sales)]
      : [back.amount, cohort.gross];
  if (whole <= 0n) return <span class="part">–</span>;
  const share = quotient(part * 1_000n, whole);
  const shade = SHADES.filter((from) => share >= from).length;
  return <span class={`part shade-${shade}`}>{formatDecimal(share, 1)} %</span>;
}
