import type { ListedSale } from './list-page.js';

/**
 * Returns the ids of sales of the same second, in groups, the oldest arrival first.
 * @param sales in the order of a list, which is newest first unless it begins with the oldest
 */
export function tiesOf(sales: readonly ListedSale[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { name, sale_date } of isOldestFirst(sales) ? sales : sales.toReversed()) {
    if (sale_date === null) continue;
    const group = groups.get(sale_date);
    if (group === undefined) groups.set(sale_date, [name]);
    else group.push(name);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/**
 * Returns true if a list runs from the oldest to the newest sale. The API does not define the
 * direction.
 */
function isOldestFirst(sales: readonly ListedSale[]): boolean {
  const dates = sales.flatMap(({ sale_date }) => sale_date ?? []);
  return (dates[0] ?? '') < (dates.at(-1) ?? '');
}
