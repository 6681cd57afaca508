import { ChoiceForm, Select } from './form.view.js';
import type { Column } from './table.view.js';

export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

/** The column that a table is sorted by, and its order. */
interface Sorted<Sort extends string> {
  readonly sort: Sort;
  readonly order: Order;
}

/**
 * Returns the head of a column that sorts a table. A second click reverses the order.
 * @param to returns the address of the table in an order of the column
 */
export function sortedHead<Row, Sort extends string>(
  name: string,
  sorted: Sorted<Sort>,
  { sort, firstOrder }: { readonly sort: Sort; readonly firstOrder: Order },
  to: (order: Order) => string,
): Pick<Column<Row>, 'head' | 'order'> {
  const isSorted = sorted.sort === sort;
  const isUp = sorted.order === 'asc';
  const order = isSorted ? (isUp ? 'desc' : 'asc') : firstOrder;
  const head = (
    <a href={to(order)}>
      {name}
      {isSorted && <Mark isUp={isUp} />}
    </a>
  );
  return isSorted ? { head, order: isUp ? 'ascending' : 'descending' } : { head };
}

/** Marks the column that a list is sorted by, if it has only this order. */
export function sortedBy(
  name: string,
  order: 'ascending' | 'descending',
): Pick<Column<unknown>, 'name' | 'head' | 'order'> {
  const head = (
    <>
      {name}
      <Mark isUp={order === 'ascending'} />
    </>
  );
  return { name, head, order };
}

function Mark({ isUp }: { readonly isUp: boolean }) {
  return <span aria-hidden="true"> {isUp ? '▲' : '▼'}</span>;
}

const ORDER_NAMES = { asc: 'Lowest first', desc: 'Highest first' } as const;

/** Fields of a form that sorts a table. */
export function SortFields<Sort extends string>({
  columns,
  sort,
  order,
}: Sorted<Sort> & {
  /** Names of the columns. */
  readonly columns: ReadonlyMap<Sort, string>;
}) {
  return (
    <>
      <Select label="Sort by" name="sort" options={columns} chosen={sort} />
      <Select label="Order" name="order" options={ORDER_NAMES} chosen={order} />
    </>
  );
}

/**
 * Sorts a table on a screen that is too narrow for its header. It says the order, and opens with a
 * click, so that the rows come first.
 */
export function SortChoice<Sort extends string>({
  action,
  hidden,
  ...sorted
}: Sorted<Sort> & {
  readonly action: string;
  /** Other parameters of the address. */
  readonly hidden: ReadonlyMap<string, string>;
  /** Names of the columns. */
  readonly columns: ReadonlyMap<Sort, string>;
}) {
  const { columns, sort, order } = sorted;
  return (
    <details>
      <summary>
        <span class="button quiet">Sort</span> by {columns.get(sort)?.toLowerCase()},{' '}
        {ORDER_NAMES[order].toLowerCase()}
      </summary>
      <ChoiceForm class="choose" action={action} label="Order" hidden={hidden}>
        <SortFields {...sorted} />
        <button class="quiet">Sort</button>
      </ChoiceForm>
    </details>
  );
}
