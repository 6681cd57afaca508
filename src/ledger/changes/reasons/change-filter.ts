import { kindOfRemoved, positionName, type FeedPosition } from '../change.model.js';
import { reasonsSince } from './change-reasons.js';

/** Selects changes by what is in them. Records that left the ledger pass every filter. */
export interface ChangeFilter {
  /** Only changes with one of these reasons, so of no kind without reasons; null for all. */
  readonly reasons: readonly string[] | null;
  /** Only changes of records of these products; null for all. */
  readonly product_ids: readonly number[] | null;
}

/**
 * Returns the changes that pass a filter.
 * @param walk_from sequence after which reasons count
 * @param productsOf reads the products of records, by the names of their positions
 */
export async function passing(
  positions: readonly FeedPosition[],
  { reasons: wanted, product_ids }: ChangeFilter,
  walk_from: number,
  productsOf: (positions: readonly FeedPosition[]) => Promise<ReadonlyMap<string, number>>,
): Promise<readonly FeedPosition[]> {
  const some =
    wanted === null
      ? positions
      : positions.filter(({ kind, reasons = new Map() }) => {
          const since = reasonsSince(reasons, walk_from);
          return isRemoved(kind) || since.some((reason) => wanted.includes(reason));
        });
  if (product_ids === null) return some;
  const products = await productsOf(some.filter(({ product_id }) => product_id === undefined));
  return some.filter((position) => {
    const { kind, product_id = products.get(positionName(position)) ?? 0 } = position;
    return isRemoved(kind) || product_ids.includes(product_id);
  });
}

function isRemoved(kind: string): boolean {
  return kindOfRemoved(kind) !== undefined;
}
