import type { Affiliate, AffiliateFigures, Order, Sort } from './affiliate-figures.model.js';

type Value = number | bigint | null;

const BY_NAME = new Intl.Collator('en');

/**
 * Sorts affiliates by a figure, and ties by id, ascending. Unknown figures come last in either
 * order.
 */
export function sortedByFigure(
  ids: readonly number[],
  figuresOf: (id: number) => AffiliateFigures,
  sort: Exclude<Sort, 'name'>,
  order: Order,
): number[] {
  const valued = ids.map((id) => ({ id, value: valueOf(figuresOf(id), sort) }));
  const sign = order === 'asc' ? 1 : -1;
  return valued
    .sort((left, right) => compared(left.value, right.value, sign) || left.id - right.id)
    .map(({ id }) => id);
}

export function sortedByName(affiliates: readonly Affiliate[], order: Order): number[] {
  const sign = order === 'asc' ? 1 : -1;
  return [...affiliates]
    .sort((left, right) => sign * BY_NAME.compare(left.name, right.name) || left.id - right.id)
    .map(({ id }) => id);
}

function valueOf({ unpaid, ...figures }: AffiliateFigures, sort: Exclude<Sort, 'name'>): Value {
  switch (sort) {
    case '0-30':
    case '31-60':
    case '61-90':
    case 'over-90':
      return unpaid[sort];
    default:
      return figures[sort];
  }
}

function compared(left: Value, right: Value, sign: 1 | -1): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -sign : sign;
}
