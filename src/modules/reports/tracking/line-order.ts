import type { Order } from '../../../platform/pages/ui/sorting.view.js';
import type { Figures } from '../report.model.js';
import type { TrackedLine } from './tracking-report.model.js';

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

/** Returns the order after the first click on a column: values from A, the best figures first. */
export function firstOrderOf(sort: LineSort): Order {
  return sort === 'value' || sort === 'refund_rate' ? 'asc' : 'desc';
}

const FIGURE_OF: Readonly<Record<Exclude<LineSort, 'value'>, (figures: Figures) => bigint>> = {
  sales: ({ sales }) => BigInt(sales),
  gross: ({ gross }) => gross,
  refunds: ({ refunds }) => BigInt(refunds.transactions),
  refund_rate: ({ refund_rate }) => refund_rate,
  chargebacks: ({ chargebacks }) => BigInt(chargebacks.transactions),
  net: ({ earnings }) => earnings,
};

/**
 * Returns lines in an order. Lines that are equal stay as they were: highest gross first.
 * @param lines with the highest gross first
 */
export function sortedLines(
  lines: readonly TrackedLine[],
  sort: LineSort,
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
