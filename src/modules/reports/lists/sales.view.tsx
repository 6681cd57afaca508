import type { ComponentChildren } from 'preact';
import type {
  AffiliateTransaction,
  TransactionsPage,
  VendorTransaction,
} from './report-list.model.js';
import {
  STATUS_OF_3,
  type StoredTransaction,
  type Transaction,
  type TransactionStatus,
} from '../../../ledger/reads/transaction.model.js';
import { transactionPath } from '../../../platform/pages/paths.js';
import { Badge } from '../../../platform/pages/ui/facts.view.js';
import { DateTime, Email, Money, moneyOrNone } from '../../../platform/pages/ui/values.view.js';

interface SaleColumn<Row> {
  readonly name: string;
  /**
   * Position in the style sheet. A place that begins with `more` is shown only if the row is
   * opened, or if the screen is wide enough for another column.
   */
  readonly place: string;
  readonly cell: (row: Row) => ComponentChildren;
}

const ID = {
  name: 'Transaction ID',
  place: 'more id',
  cell: ({ transaction_id }: Pick<Transaction, 'transaction_id'>) => (
    <a href={transactionPath(transaction_id)}>{transaction_id}</a>
  ),
};
const PRODUCT = {
  name: 'Product',
  place: 'product',
  cell: ({ product_name }: Pick<Transaction, 'product_name'>) => product_name,
};
const AMOUNT = {
  name: 'Amount',
  place: 'amount',
  cell: ({ amount }: Pick<Transaction, 'amount'>) => <Money cents={amount} />,
};

const OF_VENDOR: readonly SaleColumn<VendorTransaction>[] = [
  PRODUCT,
  {
    name: 'Customer',
    place: 'person',
    cell: (sale) => withAside(customerName(sale), <Email address={sale.customer_email} />),
  },
  AMOUNT,
  {
    name: 'Your share',
    place: 'share',
    cell: ({ seller_earnings }) => <Money cents={seller_earnings} />,
  },
  {
    name: 'Status',
    place: 'status',
    cell: ({ status, refund_date }) => (
      <>
        <Status of={status} />
        {refund_date !== null && (
          <Aside>
            {status === 'completed' && 'refunded '}
            <DateTime at={refund_date} />
          </Aside>
        )}
      </>
    ),
  },
  {
    name: 'Affiliate',
    place: 'more partner',
    cell: ({ affiliate_id, affiliate_name }) => affiliate_name ?? affiliate_id ?? '–',
  },
  { name: 'tid', place: 'more tid', cell: ({ tid }) => tid ?? '–' },
  {
    name: 'Returned',
    place: 'more returned',
    cell: ({ refund_amount }) => moneyOrNone(refund_amount),
  },
  {
    name: 'Refund impact',
    place: 'more impact',
    cell: ({ seller_refund_impact }) => moneyOrNone(seller_refund_impact),
  },
  ID,
];

const OF_AFFILIATE: readonly SaleColumn<AffiliateTransaction>[] = [
  PRODUCT,
  { name: 'Vendor', place: 'person', cell: ({ vendor_name }) => vendor_name },
  AMOUNT,
  {
    name: 'Your commission',
    place: 'share',
    cell: ({ commission }) => <Money cents={commission} />,
  },
  { name: 'Status', place: 'status', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Commission status',
    place: 'more partner',
    cell: ({ affiliate_commission_status }) => commissionStatusText(affiliate_commission_status),
  },
  ID,
];

/** Shows the sales of a page to their vendor or affiliate. */
export function Sales({
  page,
  label,
}: {
  readonly page: TransactionsPage;
  readonly label: string;
}) {
  return page.role === 'vendor' ? (
    <SalesTable of="vendor" label={label} columns={OF_VENDOR} rows={page.transactions} />
  ) : (
    <SalesTable of="affiliate" label={label} columns={OF_AFFILIATE} rows={page.transactions} />
  );
}

function Aside({ children }: { readonly children: ComponentChildren }) {
  return <div class="aside">{children}</div>;
}

/** Shows a value with another one below it. */
export function withAside(value: ComponentChildren, aside: ComponentChildren) {
  return (
    <>
      {value}
      <Aside>{aside}</Aside>
    </>
  );
}

export function customerName(sale: Pick<Transaction, `customer_${'first' | 'last'}_name`>) {
  return (
    <>
      {sale.customer_first_name} {sale.customer_last_name}
    </>
  );
}

/** Shows the status in the words of API 3.0, which CSV files and exports also use. */
export function Status({ of }: { readonly of: TransactionStatus }) {
  const word = STATUS_OF_3[of];
  return <Badge style={word}>{word}</Badge>;
}

export function commissionStatusText(
  status: StoredTransaction['affiliate_commission_status'],
): string {
  return status.toLowerCase().replace('_', ' ');
}

/**
 * Shows sales as a list: money and customer first, the rest on demand. Without a script, the style
 * sheet shows rows as cards on narrow screens, adds columns on wide ones, and shows the rest of a
 * row if its `details` are open. The roles keep the semantics of a table, which these displays
 * would remove.
 */
function SalesTable<Row extends Pick<Transaction, 'transaction_id' | 'sale_date'>>({
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
            {headOf({ name: 'Date', place: 'date' })}
            {first.map(headOf)}
            {headOf({ name: 'More', place: 'opener' })}
            {more.map(headOf)}
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
              {cellsOf(first, row)}
              <td role="cell" class="opener">
                <details>
                  <summary aria-label={`More of ${row.transaction_id}`}>More</summary>
                </details>
              </td>
              {cellsOf(more, row)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function headOf({ name, place }: Pick<SaleColumn<never>, 'name' | 'place'>) {
  return (
    <th scope="col" role="columnheader" class={place}>
      {name}
    </th>
  );
}

function cellsOf<Row>(columns: readonly SaleColumn<Row>[], row: Row) {
  return columns.map(({ name, place, cell }) => (
    <td role="cell" data-label={name} class={place}>
      {cell(row)}
    </td>
  ));
}
