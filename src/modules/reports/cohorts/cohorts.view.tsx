import type { VNode } from 'preact';
import { formatDecimal, quotient } from '../../../platform/values/money.js';
import { monthOf, monthsBetween } from '../../../platform/values/time.js';
import { monthText } from '../../../platform/pages/ui/day-text.js';
import { Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import { amounts, counts, numbers, type Column } from '../../../platform/pages/ui/table.view.js';
import { countText } from '../../../platform/pages/ui/values.view.js';
import type { CountAndAmount } from '../report.model.js';
import { MONTHS_AFTER, type Cohort, type CohortMeasure } from './cohort.model.js';

/** Lowest share of each shade of a cell, in tenths of a percent. */
const SHADES = [1n, 10n, 25n, 50n, 100n, 200n] as const;

/** A month with fewer sales is not named as the worst one. */
const ENOUGH_SALES = 30;

/** Returns the columns of the table, of which the last ones have a head together. */
export function columnsOf(measure: CohortMeasure): Column<Cohort>[] {
  const afterMonths = (month: number): Column<Cohort> => ({
    ...numbers(monthsText(month), (cohort) =>
      shareOf(cohort, cohort.after[month], measure, cohort.after[month - 1]),
    ),
    head: <MonthsHead months={month} />,
  });
  return [
    {
      name: 'Sold in',
      cell: ({ month, sales }) => (
        <>
          {monthText(month)}
          <span class="aside phone-only">{countText(sales, 'sale')}</span>
        </>
      ),
    },
    numbers('To date', (cohort) => shareOf(cohort, cohort.to_date, measure)),
    { ...counts<Cohort>('Sales', ({ sales }) => sales), only: 'wide' },
    { ...amounts<Cohort>('Gross', ({ gross }) => gross), only: 'wide' },
    ...Array.from({ length: MONTHS_AFTER + 1 }, (_, month) => afterMonths(month)),
  ];
}

/** Names the end of a number of months after that of the sale. */
function monthsText(months: number): string {
  if (months === 0) return 'Same month';
  return `+${months} month${months === 1 ? '' : 's'}`;
}

/** Shows only the first word of such a name, because a line above the table has the others. */
function MonthsHead({ months }: { readonly months: number }) {
  const [word, unit] = monthsText(months).split(' ');
  return (
    <>
      {word}
      <span class="unseen"> {unit}</span>
    </>
  );
}

interface MonthShare {
  readonly cohort: Cohort;
  /** Share to date in tenths of a percent. */
  readonly share: bigint;
}

/**
 * Shows the month with the highest share to date, the last month that is over, and the average of
 * all months that are over. The share of a month with few sales says little, so such a month is not
 * the worst one.
 */
export function Highlights({
  measure,
  today,
  cohorts,
}: {
  readonly measure: CohortMeasure;
  readonly today: string;
  readonly cohorts: readonly Cohort[];
}) {
  const over = cohorts.flatMap((cohort): MonthShare[] => {
    const share = tenthsOf(cohort, cohort.to_date, measure);
    return share === null || cohort.month === monthOf(today) ? [] : [{ cohort, share }];
  });
  const [last] = over;
  const [worst] = over
    .filter(({ cohort }) => cohort.sales >= ENOUGH_SALES)
    .toSorted((one, other) => Number(other.share - one.share));
  if (last === undefined) return null;
  return (
    <Figures label="Months that stand out" isBig>
      {worst !== undefined && <MonthFigure name="Worst month" {...worst} />}
      <MonthFigure
        name="Latest full month"
        remark={` after ${countText(monthsBetween(last.cohort.month, today), 'month')}`}
        {...last}
      />
      {over.length > 1 && <Average cohorts={over.map(({ cohort }) => cohort)} measure={measure} />}
    </Figures>
  );
}

function MonthFigure({
  name,
  remark = '',
  cohort: { month, sales },
  share,
}: MonthShare & { readonly name: string; readonly remark?: string }) {
  return (
    <Figure name={name} note={`${monthText(month)}${remark}, ${countText(sales, 'sale')}`}>
      {shareText(share)}
    </Figure>
  );
}

/** Shows the share of all sales of some months, so that a month with more sales has more weight. */
function Average({
  cohorts,
  measure,
}: {
  readonly cohorts: readonly Cohort[];
  readonly measure: CohortMeasure;
}) {
  const whole = { sales: 0, gross: 0n };
  const back = { transactions: 0, amount: 0n };
  for (const { sales, gross, to_date } of cohorts) {
    whole.sales += sales;
    whole.gross += gross;
    back.transactions += to_date.transactions;
    back.amount += to_date.amount;
  }
  const share = tenthsOf(whole, back, measure);
  if (share === null) return null;
  const months = countText(cohorts.length, 'full month');
  return (
    <Figure
      name="Average"
      note={`${months}, ${countText(whole.sales, 'sale')}`}
      words="Of all sales of the full months below"
    >
      {shareText(share)}
    </Figure>
  );
}

/** Returns a share in tenths of a percent; null if there is nothing to take a share of. */
function tenthsOf(
  { sales, gross }: Pick<Cohort, 'sales' | 'gross'>,
  back: CountAndAmount,
  measure: CohortMeasure,
): bigint | null {
  const whole = measure === 'sales' ? BigInt(sales) : gross;
  return whole <= 0n ? null : quotient(returnedIn(back, measure) * 1_000n, whole);
}

function returnedIn(back: CountAndAmount, measure: CohortMeasure): bigint {
  return measure === 'sales' ? BigInt(back.transactions) : back.amount;
}

function shareText(share: bigint): string {
  return `${formatDecimal(share, 1)}%`;
}

/**
 * Shows a share with a shade. A future month is empty, and a dash means that there is nothing to
 * take a share of.
 * @param before what came back a month earlier; if nothing was added to it, a dot stands for it
 */
function shareOf(
  cohort: Cohort,
  back: CountAndAmount | undefined,
  measure: CohortMeasure,
  before?: CountAndAmount,
): VNode | null {
  if (back === undefined) return null;
  const share = tenthsOf(cohort, back, measure);
  if (share === null) return <span class="shade">–</span>;
  const shade = SHADES.filter((from) => share >= from).length;
  if (before !== undefined && returnedIn(before, measure) === returnedIn(back, measure)) {
    return (
      <span class={`shade same shade-${shade}`}>
        <span class="unseen">{shareText(share)}</span>
      </span>
    );
  }
  return <span class={`shade shade-${shade}`}>{shareText(share)}</span>;
}
