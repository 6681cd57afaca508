import {
  UNPAID_AGES,
  type AffiliateFigures,
  type Sort,
  type UnpaidAge,
} from './affiliate-figures.model.js';
import type { DayRange } from '../report.model.js';
import type { ReportQuery } from '../ranges/report-query.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { amounts, counts, numbers, type Column } from '../../../platform/pages/ui/table.view.js';
import { numberText, percentText } from '../../../platform/pages/ui/values.view.js';

/** A column that the table can be sorted by. */
type FigureColumn = Column<Figured> & { readonly sort: Sort };
interface Figured {
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

/** Columns with the figures of an affiliate, in the order of the table. */
export const FIGURE_COLUMNS: readonly FigureColumn[] = [
  { sort: 'sales', ...counts('Sales', ({ figures }) => figures.sales) },
  { sort: 'gross', ...amounts('Gross', ({ figures }) => figures.gross) },
  { sort: 'commission', ...amounts('Commission', ({ figures }) => figures.commission) },
  { ...rates('Refund rate', 'refund_rate'), shortName: 'Refunds' },
  { ...rates('Chargeback rate', 'chargeback_rate'), shortName: 'Chargebacks' },
  clicks('Clicks', 'clicks'),
  { ...clicks('Unique clicks', 'unique_clicks'), shortName: 'Unique' },
  rates('Conversion', 'conversion'),
  ...UNPAID_AGES.map((age) => ({
    sort: age,
    ...amounts(`Unpaid ${AGE_NAMES[age]}`, ({ figures }: Figured) => figures.unpaid[age]),
    shortName: `Unpaid ${AGE_NAMES[age].replace(' days', ' d')}`,
  })),
];

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
  return <p class="hint">Unpaid today, by age of the sale. Pending sales are left out.</p>;
}
