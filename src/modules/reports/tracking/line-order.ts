import type { Order } from '../../../platform/pages/ui/sorting.view.js';
import type { Figures } from '../report.model.js';
import type { TrackedLine, TrackingReport } from './tracking-report.model.js';

/** Columns by which the values of a tracking field can be sorted. */
export const LINE_SORTS = [
  'value',
  'sales',
  'gross',
  'refunds',
  'refund_rate',
  'chargebacks',
  'net',
] as const;
export type LineSort = (typeof LINE_SORTS)[number];

/** Columns by which an affiliate's own tracking values can be sorted. */
export const OWN_SORTS = ['value', 'sales', 'commission', 'refunds', 'refund_rate'] as const;
export type OwnSort = (typeof OWN_SORTS)[number];

type AnySort = LineSort | OwnSort;

/** Names of the columns. */
export const SORT_NAMES: Readonly<Record<AnySort, string>> = {
  value: 'Value',
  sales: 'Sales',
  gross: 'Gross',
  commission: 'Commission',
  refunds: 'Refunds',
  refund_rate: 'Refund rate',
  chargebacks: 'Chargebacks',
  net: 'Net earnings',
};

/** Returns the order after the first click on a column: values from A, the best figures first. */
export function firstOrderOf(sort: AnySort): Order {
  return sort === 'value' || sort === 'refund_rate' ? 'asc' : 'desc';
}

const FIGURE_OF: Readonly<Record<Exclude<AnySort, 'value'>, (figures: Figures) => bigint>> = {
  sales: ({ sales }) => BigInt(sales),
  gross: ({ gross }) => gross,
  commission: ({ commissions }) => commissions,
  refunds: ({ refunds }) => BigInt(refunds.transactions),
  refund_rate: ({ refund_rate }) => refund_rate,
  chargebacks: ({ chargebacks }) => BigInt(chargebacks.transactions),
  net: ({ earnings }) => earnings,
};

/** Returns a report with its lines in an order. */
export function sortedReport(
  report: TrackingReport,
  { sort, order }: { readonly sort: AnySort; readonly order: Order },
): TrackingReport {
  return { ...report, lines: sortedLines(report.lines, sort, order) };
}

/**
 * Returns lines in an order. Lines that are equal stay in the order in which they are given: highest
 * gross or commission first.
 */
function sortedLines(
  lines: readonly TrackedLine[],
  sort: AnySort,
  order: Order,
): readonly TrackedLine[] {
  const sign = order === 'asc' ? 1 : -1;
  if (sort === 'value') {
    return lines.toSorted(
      (left, right) => sign * Buffer.compare(Buffer.from(left.value), Buffer.from(right.value)),
    );
  }
  const figureOf = FIGURE_OF[sort];
  return lines.toSorted((left, right) => {
    const [one, other] = [figureOf(left.figures), figureOf(right.figures)];
    if (one === other) return 0;
    return one < other ? -sign : sign;
  });
}
