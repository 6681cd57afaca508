import type { ComponentChildren } from 'preact';
import {
  UNPAID_AGES,
  type AffiliateFigures,
  type Sort,
  type UnpaidAge,
} from './affiliate-figures.model.js';
import type { PaidSale } from './affiliate-sales.service.js';
import { OWED, type Owed } from './payouts.service.js';
import { rateOf } from '../../../platform/values/money.js';
import type { ReportKind } from '../lists/report-list.model.js';
import type { DayRange } from '../report.model.js';
import { changeOf, type ComparedFigures } from '../ranges/key-figures.view.js';
import type { ReportQuery } from '../ranges/report-query.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import {
  amounts,
  counts,
  linked,
  numbers,
  type Column,
} from '../../../platform/pages/ui/table.view.js';
import { Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import {
  countText,
  Money,
  numberText,
  percentText,
} from '../../../platform/pages/ui/values.view.js';

/** A column that the table can be sorted by. */
type FigureColumn = Column<Figured> & { readonly sort: Sort };
export interface Figured {
  /** Null for all affiliates together. */
  readonly id: number | null;
  readonly figures: AffiliateFigures;
}

/** Names of the ages of unpaid commissions. Word joiners prevent a line break at the dash. */
export const AGE_NAMES: Readonly<Record<UnpaidAge, string>> = {
  '0-30': '0\u2060–\u206030 days',
  '31-60': '31\u2060–\u206060 days',
  '61-90': '61\u2060–\u206090 days',
  'over-90': 'over 90 days',
};

/** Text in place of a figure that is unknown or zero. */
const NOT_KNOWN = '–';
/** A conversion of 100 %, in the units of rates. */
const WHOLE = 10_000n;
export const rateText = (rate: bigint | null) => (rate === null ? NOT_KNOWN : percentText(rate));
export const clicksText = (count: number | null) =>
  count === null ? NOT_KNOWN : numberText(count);

/** Returns the share of a sale that the affiliate earned; null for a sale without an amount. */
export function percentOf({ commission, amount }: PaidSale): string | null {
  return amount > 0 ? percentText(rateOf(commission, BigInt(amount))) : null;
}

/** Shows a conversion, unless there are more sales than clicks. */
export function Conversion({ rate }: { readonly rate: bigint | null }) {
  if (rate === null || rate <= WHOLE) return <>{rateText(rate)}</>;
  return <span title="More sales than unique clicks: not all clicks are known.">{NOT_KNOWN}</span>;
}

/** Links of the figures of an affiliate, or of all affiliates together. */
export interface FigureLinks {
  readonly sales: (row: Figured) => string;
  /** Address of the report of an affiliate; undefined for all affiliates together. */
  readonly report: (row: Figured) => string | undefined;
  readonly unpaid: (row: Figured, age: UnpaidAge | null) => string;
  /** Address of what is owed by product; undefined for all affiliates together. */
  readonly owed: (row: Figured) => string | undefined;
}

/** Columns that the table always has; the others are shown on request. */
const FEW: ReadonlySet<Sort> = new Set([
  'sales',
  'gross',
  'refund_rate',
  'commission',
  'unpaid_total',
  'due_now',
]);

/**
 * Returns columns with the figures of an affiliate, in the order of the table.
 * @param isWide all of them; otherwise the few that the table always has
 */
export function figureColumns(to: FigureLinks, isWide: boolean): readonly FigureColumn[] {
  const columns = [...mainColumns(to), ...furtherColumns(to)];
  return columns.filter(({ sort }) => isWide || FEW.has(sort)).map(dashed);
}

function mainColumns(to: FigureLinks): FigureColumn[] {
  return [
    {
      sort: 'sales',
      narrow: 'fact',
      ...linked(
        counts('Sales', ({ figures }) => figures.sales),
        to.sales,
      ),
    },
    {
      sort: 'gross',
      narrow: 'main',
      ...linked(
        amounts('Gross', ({ figures }) => figures.gross),
        to.report,
      ),
    },
    { ...rates('Refund rate', 'refund_rate'), narrow: 'none' },
    {
      sort: 'commission',
      ...amounts('Commission', ({ figures }) => figures.commission),
      help: 'What the affiliates earned, after refunds and chargebacks. Agents and partners are not in it.',
    },
    {
      ...owed('unpaid_total', (row) => to.unpaid(row, null)),
      narrow: 'fact',
      shortName: 'unpaid',
      help: 'As of today, whatever the period. Commissions of sales that are not paid out yet, after refunds and chargebacks, without pending sales.',
    },
    {
      ...owed('due_now', to.owed),
      narrow: 'fact',
      shortName: 'due now',
      help: 'Unpaid, and not on hold.',
    },
  ];
}

function furtherColumns(to: FigureLinks): FigureColumn[] {
  return [
    { ...owed('on_hold', to.owed), help: 'Held until the terms allow payout.' },
    ...UNPAID_AGES.map((age) => ({
      sort: age,
      ...linked(
        amounts(`Unpaid ${AGE_NAMES[age]}`, ({ figures }: Figured) => figures.unpaid[age]),
        (row) => to.unpaid(row, age),
      ),
    })),
    { ...rates('Chargeback rate', 'chargeback_rate') },
    clicks('Clicks', 'clicks'),
    { ...clicks('Unique clicks', 'unique_clicks') },
    {
      sort: 'conversion',
      ...numbers<Figured>('Conversion', ({ figures }) => <Conversion rate={figures.conversion} />),
      isZero: ({ figures: { conversion } }) => (conversion ?? 0n) === 0n,
      help: 'Sales per unique click. It is left out where there are more sales than clicks.',
    },
  ];
}

/** Shows a dash in place of zero. */
function dashed(column: FigureColumn): FigureColumn {
  const { cell, isZero } = column;
  return { ...column, cell: (row) => (isZero?.(row) === true ? NOT_KNOWN : cell(row)) };
}

/** Names of the sums of unpaid commissions. */
export const OWED_NAMES: Readonly<Record<keyof Owed, string>> = {
  unpaid_total: 'Unpaid',
  due_now: 'Due now',
  on_hold: 'On hold',
};
const OWED_NOTES: Readonly<Record<keyof Owed, string>> = {
  unpaid_total: 'as of today',
  due_now: 'ready to pay out',
  on_hold: 'held until the terms allow payout',
};

/**
 * Shows what is owed today in three big figures, with a file of the payouts by what is due.
 * @param hrefOf returns the address of what is behind a sum
 */
export function OwedFigures({
  owed: sums,
  hrefOf,
  payouts,
}: {
  readonly owed: Owed;
  readonly hrefOf: (sum: keyof Owed) => string;
  /** Address of the file. */
  readonly payouts: string;
}) {
  return (
    <Figures label="Unpaid commissions" isBig>
      {OWED.map((sum) => (
        <Figure
          name={OWED_NAMES[sum]}
          href={hrefOf(sum)}
          note={
            <>
              {OWED_NOTES[sum]}
              {sum === 'due_now' && <PayoutsLink href={payouts} />}
            </>
          }
        >
          <Money cents={sums[sum]} />
        </Figure>
      ))}
    </Figures>
  );
}

function PayoutsLink({ href }: { readonly href: string }) {
  return (
    <span class="no-print">
      {' · '}
      <a href={href}>Download payouts</a>
    </span>
  );
}

interface Numbers {
  readonly figures: AffiliateFigures;
  /** Null if nothing is compared. */
  readonly compared: ComparedFigures | null;
  readonly attribution: ReportQuery['attribution'];
  /** Returns the address of the transactions behind a figure. */
  readonly behind: (kind: ReportKind) => string;
  /** Address of the sales with unpaid commissions. */
  readonly unpaid: string;
}

/**
 * The figures of an affiliate that are compared with another range. An affiliate who earns more has
 * sold more, so each of them has a direction that is better.
 */
const COMPARED = {
  gross: { as: 'money', better: 'more', value: ({ gross }: Compared) => gross },
  commission: {
    as: 'money',
    better: 'more',
    value: ({ parties }: Compared) => parties.affiliate,
  },
  sales: { as: 'count', better: 'more', value: ({ sales }: Compared) => BigInt(sales) },
  refund_rate: { as: 'rate', better: 'less', value: ({ refund_rate }: Compared) => refund_rate },
} as const;

type Compared = ComparedFigures['now'];

/** Shows what is owed to one affiliate today, and what they sold and earned in the period. */
export function AffiliateNumbers(numbersOf: Numbers) {
  const { figures, compared, behind, unpaid } = numbersOf;
  return (
    <>
      <Figures label="Main figures of the affiliate" isBig>
        <Figure name="Unpaid" href={unpaid} note={owedText(figures)} words="As of today">
          <Money cents={figures.unpaid_total} />
        </Figure>
        <Figure
          name="Gross"
          href={behind('sales')}
          note="before refunds"
          change={changeOf(COMPARED.gross, compared)}
        >
          <Money cents={figures.gross} />
        </Figure>
        <Figure
          name="Commission"
          href={behind('all')}
          note={`after ${returnsText(figures) || 'refunds'}`}
          words="After refunds and chargebacks"
          change={changeOf(COMPARED.commission, compared)}
        >
          <Money cents={figures.commission} />
        </Figure>
      </Figures>
      <FurtherNumbers {...numbersOf} />
    </>
  );
}

/** Names how many refunds and chargebacks there are; empty without any. */
function returnsText({ refunds, chargebacks }: AffiliateFigures): string {
  return [
    ...(refunds === 0 ? [] : [countText(refunds, 'refund')]),
    ...(chargebacks === 0 ? [] : [countText(chargebacks, 'chargeback')]),
  ].join(' and ');
}

function FurtherNumbers({ figures, compared, attribution, behind }: Numbers) {
  const { sales, refunds, chargebacks, chargeback_rate, clicks: clicked, unique_clicks } = figures;
  const isOfEarlier = attribution === 'refund' && refunds + chargebacks > 0;
  return (
    <Figures label="Further figures of the affiliate">
      <Figure
        name="Sales"
        href={behind('sales')}
        note="including those refunded later"
        change={changeOf(COMPARED.sales, compared)}
      >
        {numberText(sales)}
      </Figure>
      <Figure
        name="Refund rate"
        href={behind('refunds')}
        note={`${countText(refunds, 'refund')}, ${countText(chargebacks, 'chargeback')}${isOfEarlier ? ', also of earlier sales' : ''}`}
        words={`Refunds per sale. Chargeback rate: ${rateText(chargeback_rate)}`}
        change={changeOf(COMPARED.refund_rate, compared)}
      >
        {rateText(figures.refund_rate)}
      </Figure>
      <Figure name="Clicks" note={`${clicksText(unique_clicks)} unique`}>
        {clicksText(clicked)}
      </Figure>
      <Figure name="Conversion" note="sales per unique click">
        <Conversion rate={figures.conversion} />
      </Figure>
    </Figures>
  );
}

/** Says which part of what is owed is due. */
function owedText({ unpaid_total, due_now, on_hold }: Owed): ComponentChildren {
  if (unpaid_total === 0n) return 'as of today';
  if (on_hold === 0n) return 'as of today, all due now';
  if (due_now === 0n) return 'as of today, all on hold';
  return (
    <>
      <Money cents={due_now} /> due, <Money cents={on_hold} /> on hold
    </>
  );
}

function owed(sort: keyof Owed, to: (row: Figured) => string | undefined): FigureColumn {
  return {
    sort,
    ...linked(
      amounts(OWED_NAMES[sort], ({ figures }) => figures[sort]),
      to,
    ),
  };
}

function rates(name: string, sort: 'refund_rate' | 'chargeback_rate'): FigureColumn {
  return {
    sort,
    ...numbers<Figured>(name, ({ figures }) => rateText(figures[sort])),
    isZero: ({ figures }) => (figures[sort] ?? 0n) === 0n,
  };
}

function clicks(name: string, sort: 'clicks' | 'unique_clicks'): FigureColumn {
  return {
    sort,
    ...numbers<Figured>(name, ({ figures }) => clicksText(figures[sort])),
    isZero: ({ figures }) => (figures[sort] ?? 0) === 0,
  };
}

export function requestOf({ user }: SignedInVisit, { attribution }: ReportQuery, range: DayRange) {
  return { vendor_id: user.id, ...range, attribution };
}
