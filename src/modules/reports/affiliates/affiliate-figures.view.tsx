import {
  UNPAID_AGES,
  type AffiliateFigures,
  type Sort,
  type UnpaidAge,
} from './affiliate-figures.model.js';
import type { Owed } from './payouts.service.js';
import type { DayRange } from '../report.model.js';
import type { ReportQuery } from '../ranges/report-query.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import {
  amounts,
  counts,
  linked,
  numbers,
  type Column,
} from '../../../platform/pages/ui/table.view.js';
import { numberText, percentText } from '../../../platform/pages/ui/values.view.js';

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

/** Text in place of an unknown figure. */
const NOT_KNOWN = '–';
export const rateText = (rate: bigint | null) => (rate === null ? NOT_KNOWN : percentText(rate));
export const clicksText = (count: number | null) =>
  count === null ? NOT_KNOWN : numberText(count);

/** Links of the figures of an affiliate, or of all affiliates together. */
export interface FigureLinks {
  readonly sales: (row: Figured) => string;
  /** Address of the report of an affiliate; undefined for all affiliates together. */
  readonly report: (row: Figured) => string | undefined;
  readonly unpaid: (row: Figured, age: UnpaidAge | null) => string;
  /** Address of what is owed by product; undefined for all affiliates together. */
  readonly owed: (row: Figured) => string | undefined;
}

/** Returns columns with the figures of an affiliate, in the order of the table. */
export function figureColumns(to: FigureLinks): readonly FigureColumn[] {
  return [
    {
      sort: 'sales',
      ...linked(
        counts('Sales', ({ figures }) => figures.sales),
        to.sales,
      ),
    },
    {
      sort: 'gross',
      ...linked(
        amounts('Gross', ({ figures }) => figures.gross),
        to.report,
      ),
    },
    { sort: 'commission', ...amounts('Commission', ({ figures }) => figures.commission) },
    { ...rates('Refund rate', 'refund_rate'), shortName: 'Refunds' },
    { ...rates('Chargeback rate', 'chargeback_rate'), shortName: 'Chargebacks' },
    clicks('Clicks', 'clicks'),
    { ...clicks('Unique clicks', 'unique_clicks'), shortName: 'Unique' },
    rates('Conversion', 'conversion'),
    { ...owed('unpaid_total', (row) => to.unpaid(row, null)), shortName: 'Unpaid' },
    owed('due_now', to.owed),
    owed('on_hold', to.owed),
    ...UNPAID_AGES.map((age) => ({
      sort: age,
      ...linked(
        amounts(`Unpaid ${AGE_NAMES[age]}`, ({ figures }: Figured) => figures.unpaid[age]),
        (row) => to.unpaid(row, age),
      ),
      shortName: AGE_NAMES[age].replace(' days', ' d'),
    })),
  ];
}

/** Names of the sums of unpaid commissions. */
export const OWED_NAMES: Readonly<Record<keyof Owed, string>> = {
  unpaid_total: 'Unpaid total',
  due_now: 'Due now',
  on_hold: 'On hold',
};

function owed(sort: keyof Owed, to: (row: Figured) => string | undefined): FigureColumn {
  return {
    sort,
    ...linked(
      amounts(OWED_NAMES[sort], ({ figures }) => figures[sort]),
      to,
    ),
  };
}

function rates(name: string, sort: 'refund_rate' | 'chargeback_rate' | 'conversion'): FigureColumn {
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

/** Explains what unpaid commissions are. */
export function UnpaidNote() {
  return (
    <p class="hint">
      Unpaid today, whatever the period. Pending sales are left out. <em>On hold</em> is unpaid on
      terms that are delayed today; the rest is due now.
    </p>
  );
}
