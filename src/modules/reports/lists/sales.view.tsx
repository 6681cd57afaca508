import type { ComponentChildren } from 'preact';
import type { ListFigure } from '../../../ledger/sums/list-figures.js';
import type { Counted, PaymentKind } from '../../../ledger/reads/counted-transaction.model.js';
import type {
  ListedReferral,
  ListedSale,
  ListPage,
  TransactionsPage,
} from './report-list.model.js';
import type { StoredTransaction, Transaction } from '../../../ledger/reads/transaction.model.js';
import { AFFILIATES_PATH, transactionPath } from '../../../platform/pages/paths.js';
import { amounts, type Column, numbers, Table } from '../../../platform/pages/ui/table.view.js';
import { DateTime, Day, Email, Money } from '../../../platform/pages/ui/values.view.js';
import { Status } from '../../transactions/index.js';

type Sale = Pick<Transaction, 'transaction_id' | 'sale_date' | 'product_name' | 'amount'>;

/** A row of the table: a sale, or the totals below the sales. */
interface Line<Listed> {
  /** Null in the row of totals. */
  readonly sale: Listed | null;
  readonly in_period: bigint;
}

/** Returns the column that links to each sale, whose page leads back to the list. */
function dates<Listed extends Sale & { readonly payment?: PaymentKind }>(
  back: string,
  total: string,
): Column<Line<Listed>> {
  return {
    name: 'Date',
    cell: ({ sale }) => {
      if (sale === null) return total;
      const link = (
        <a href={transactionPath(sale.transaction_id, back)}>
          <DateTime at={sale.sale_date} />
        </a>
      );
      return sale.payment === 'rebill' ? withAside(link, 'rebill') : link;
    },
  };
}

/** Returns a column without a value in the row of totals. */
function ofSale<Listed>(column: Column<Listed>): Column<Line<Listed>> {
  const { cell, isZero, wordOf, ...others } = column;
  return {
    ...others,
    ...(wordOf && { wordOf: ({ sale }: Line<Listed>) => (sale === null ? '' : wordOf(sale)) }),
    isMain: false,
    isZero: ({ sale }) => sale === null || (isZero?.(sale) ?? false),
    cell: ({ sale }) => sale && cell(sale),
  };
}

const PRODUCT: Column<Sale> = {
  name: 'Product',
  narrow: 'bare',
  cell: ({ product_name, transaction_id }) => withAside(product_name, transaction_id),
};
const AMOUNT = detail(amounts<Sale>('Amount', ({ amount }) => amount));

/** Returns a column that a narrow screen leaves out. */
function detail<Row>(column: Column<Row>): Column<Row> {
  return { ...column, narrow: 'none' };
}

/** Returns a column of amounts, each with what a refund or chargeback took back below it. */
function afterRefund(
  name: string,
  amountOf: (sale: ListedSale) => number,
  backOf: (sale: ListedSale) => number | null,
): Column<ListedSale> {
  return detail(
    numbers(name, (sale) => {
      const [amount, back] = [<Money cents={amountOf(sale)} />, backOf(sale)];
      return back === null ? amount : withAside(amount, <Money cents={back} />);
    }),
  );
}

const STATUS: Column<ListedSale> = {
  name: 'Status',
  narrow: 'bare',
  cell: ({ status, refund_date }) => (
    <>
      <Status of={status} />
      {refund_date !== null && (
        <Aside>
          {status === 'completed' && 'refunded '}on <DateTime at={refund_date} />
        </Aside>
      )}
    </>
  ),
};

const OF_VENDOR: readonly Column<ListedSale>[] = [
  PRODUCT,
  {
    name: 'Customer',
    narrow: 'bare',
    cell: (sale) => withAside(customerName(sale), <Email address={sale.customer_email} />),
  },
  {
    name: 'Affiliate',
    narrow: 'none',
    isZero: ({ affiliate_id }) => affiliate_id === null,
    cell: ({ affiliate_id, affiliate_name, tid }) => {
      if (affiliate_id === null) return tid === null ? '–' : withAside('–', tid);
      const link = (
        <a href={`${AFFILIATES_PATH}/${affiliate_id}`}>{affiliate_name ?? affiliate_id}</a>
      );
      return tid === null ? link : withAside(link, tid);
    },
  },
  afterRefund(
    'Amount',
    ({ amount }) => amount,
    ({ refund_amount }) => refund_amount && -refund_amount,
  ),
  afterRefund(
    'Your earnings',
    ({ seller_earnings }) => seller_earnings,
    ({ seller_refund_impact }) => seller_refund_impact,
  ),
  STATUS,
];

/** Returns the columns of a list of refunds or chargebacks: their day is in place of the status. */
function ofReturns(name: string): Column<ListedSale>[] {
  const day: Column<ListedSale> = {
    name,
    narrow: 'bare',
    cell: ({ refund_date }) => refund_date !== null && ['on ', <Day at={refund_date} />],
  };
  return OF_VENDOR.map((column) => (column === STATUS ? day : column));
}

/** Names of the day column of lists that have only what was returned. */
const RETURNED_ON: Readonly<Partial<Record<ListFigure, string>>> = {
  refunded: 'Refunded',
  charged_back: 'Charged back',
};

/**
 * Returns a list of refunds or chargebacks with the newest first if it has one page. No index has
 * them in this order, so longer lists have the order of their sales.
 */
export function newestReturnFirst(page: TransactionsPage): TransactionsPage | null {
  const isWhole = page.previous === null && page.next === null && page.searched_to === null;
  if (page.role === 'affiliate' || RETURNED_ON[page.figure] === undefined || !isWhole) return null;
  const dateOf = ({ refund_date, sale_date }: ListedSale) => refund_date ?? sale_date;
  const transactions = page.transactions.toSorted((one, other) =>
    dateOf(one) < dateOf(other) ? 1 : -1,
  );
  return { ...page, transactions };
}

const OF_AFFILIATE: readonly Column<ListedReferral>[] = [
  PRODUCT,
  { name: 'Vendor', narrow: 'none', cell: ({ vendor_name }) => vendor_name },
  AMOUNT,
  detail(amounts('Your commission', ({ commission }) => commission)),
  { name: 'Status', narrow: 'bare', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Commission status',
    narrow: 'bare',
    cell: ({ affiliate_commission_status }) => commissionStatusText(affiliate_commission_status),
  },
];

/**
 * Shows the sales of a page to their vendor or affiliate, with what each adds to the figure of the
 * list.
 */
export function Sales({
  page,
  label,
  address,
}: {
  readonly page: TransactionsPage;
  readonly label: string;
  /** Address of the list. */
  readonly address: string;
}) {
  const day = RETURNED_ON[page.figure];
  return page.role === 'vendor' ? (
    <SalesTable
      label={label}
      address={address}
      columns={day === undefined ? OF_VENDOR : ofReturns(day)}
      page={page}
    />
  ) : (
    <SalesTable label={label} address={address} columns={OF_AFFILIATE} page={page} />
  );
}

interface TableProperties<Listed> {
  readonly label: string;
  readonly address: string;
  readonly columns: readonly Column<Listed>[];
  readonly page: Pick<ListPage<unknown, Listed>, 'transactions' | 'total'>;
}

function SalesTable<Listed extends Sale & Pick<Counted, 'in_period'> & Partial<Counted>>({
  label,
  address,
  columns,
  page: { transactions, total },
}: TableProperties<Listed>) {
  const ofPage = transactions.reduce((sum, { in_period }) => sum + in_period, 0n);
  return (
    <Table
      label={label}
      columns={[
        dates<Listed>(address, total === null ? 'This page' : 'All pages'),
        ...columns.map((column) => ofSale(column)),
        amounts<Line<Listed>>('In this period', ({ in_period }) => in_period),
      ]}
      rows={transactions.map((sale) => ({ sale, in_period: sale.in_period }))}
      total={{ sale: null, in_period: total ?? ofPage }}
    />
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

/** Shows a value with another one in a line of its own below it, also on a narrow screen. */
export function withLine(value: ComponentChildren, line: ComponentChildren) {
  return (
    <>
      {value}
      <div class="aside line">{line}</div>
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

export function commissionStatusText(
  status: StoredTransaction['affiliate_commission_status'],
): string {
  return status.toLowerCase().replace('_', ' ');
}
