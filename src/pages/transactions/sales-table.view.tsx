import type { ComponentChildren } from 'preact';
import type { Transaction } from '../../modules/transactions/transaction.model.js';
import { DateTime } from '../ui/date-time.view.js';
import { transactionPath } from './transaction-path.js';

type Identified = Pick<Transaction, 'transaction_id' | 'sale_date'>;

export interface SaleColumn<Row> {
  readonly name: string;
  /**
   * Position in the style sheet. A place that begins with `more` is shown only if the row is
   * opened, or if the screen is wide enough for another column.
   */
  readonly place: string;
  readonly cell: (row: Row) => ComponentChildren;
}

/**
 * Shows sales as a list: money and customer first, the rest on demand. Without a script, the style
 * sheet shows rows as cards on narrow screens, adds columns on wide ones, and shows the rest of a
 * row if its `details` are open. The roles keep the semantics of a table, which these displays
 * would remove.
 */
export function SalesTable<Row extends Identified>({
  of,
  label,
  columns,
  rows,
}: {
  /** Viewer of the list; the style sheet has rules for the columns of each. */
  readonly of: 'vendor' | 'affiliate';
  readonly label: string;
  readonly columns: readonly SaleColumn<Row>[];
  readonly rows: readonly Row[];
}) {
  const isMore = ({ place }: SaleColumn<Row>) => place.startsWith('more');
  const [first, more] = [columns.filter((each) => !isMore(each)), columns.filter(isMore)];
  return (
    <div class={`sales of-${of}`}>
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            <Head place="date">Date</Head>
            {first.map(({ name, place }) => (
              <Head place={place}>{name}</Head>
            ))}
            <Head place="opener">More</Head>
            {more.map(({ name, place }) => (
              <Head place={place}>{name}</Head>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row">
              <th scope="row" role="rowheader" class="date">
                <a href={transactionPath(row.transaction_id)}>
                  <DateTime at={row.sale_date} />
                </a>
              </th>
              <Cells columns={first} row={row} />
              <td role="cell" class="opener">
                <details>
                  <summary aria-label={`More of ${row.transaction_id}`}>More</summary>
                </details>
              </td>
              <Cells columns={more} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ place, children }: { readonly place: string; readonly children: string }) {
  return (
    <th scope="col" role="columnheader" class={place}>
      {children}
    </th>
  );
}

function Cells<Row>({
  columns,
  row,
}: {
  readonly columns: readonly SaleColumn<Row>[];
  readonly row: Row;
}) {
  return (
    <>
      {columns.map(({ name, place, cell }) => (
        <td role="cell" data-label={name} class={place}>
          {cell(row)}
        </td>
      ))}
    </>
  );
}
