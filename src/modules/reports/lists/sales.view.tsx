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
import { AFFILIATES_PATH, customerPath, transactionPath } from '../../../platform/pages/paths.js';
import { sortedBy } from '../../../platform/pages/ui/sorting.view.js';
import { amounts, type Column, numbers, Table } from '../../../platform/pages/ui/table.view.js';
import {
  DateTime,
  Day,
  Email,
  Money,
  moneyOrNone,
} from '../../../platform/pages/ui/values.view.js';
import { Status } from '../../transactions/index.js';

type Sale = Pick<
  Transaction,
  'transaction_id' | 'sale_date' | 'product_name' | 'amount' | 'status'
>;

/** A row of the table: a sale, or the totals below the sales. */
interface Line<Listed> {
  /** Null in the row of totals. */
  readonly sale: Listed | null;
  readonly in_period: bigint;
}

/** Contains the figure that a list adds up to, and where the links of its table lead back to. */
interface Shown {
  readonly figure: ListFigure;
  /** Address of the list, to which the page of each sale leads back. */
  readonly address: string;
  /** Name of the row of totals. */
  readonly total: string;
  /** True if the newest refund or chargeback is first. */
  readonly isByReturn: boolean;
}

/** Returns the column that links to each sale. */
function dates<Listed extends Sale & { readonly payment?: PaymentKind }>({
  address,
  total,
}: Shown): Column<Line<Listed>> {
  return {
    ...sortedBy('Date', 'descending'),
    cell: ({ sale }) => {
      if (sale === null) return total;
      const link = (
        <a href={transactionPath(sale.transaction_id, address)}>
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

/** An amount of each sale, which is what lists of some figures add up to. */
interface SaleAmount<Listed> {
  readonly name: string;
  readonly figures: readonly ListFigure[];
  /** Place on a narrow screen; none in a list with a column for its figure. */
  readonly narrow: 'main' | 'fact';
  /** Word behind the amount on a narrow screen, unless the sale is pending. */
  readonly shortName?: string;
  readonly valueOf: (sale: Listed) => number;
  /** Returns what a refund or chargeback took back, which is shown below the amount. */
  readonly backOf?: (sale: Listed) => number | null;
}

/**
 * Returns the columns of amounts. If one of them is the figure of the list, it has the total, and it
 * says what counts of a sale where that is another amount. Otherwise the figure has a column.
 */
function amountColumns<Listed extends Sale & Pick<Counted, 'in_period'>>(
  columns: readonly SaleAmount<Listed>[],
  figure: ListFigure,
): Column<Line<Listed>>[] {
  const summed = columns.find(({ figures }) => figures.includes(figure));
  const shown = columns.map((column): Column<Line<Listed>> => {
    const { name, narrow, shortName = name } = column;
    const amount = column === summed ? counted(column) : ofSale(afterRefund(column));
    return {
      ...amount,
      narrow: summed === undefined ? 'none' : narrow,
      wordOf: ({ sale }) => (sale?.status === 'pending' ? 'once paid' : shortName),
    };
  });
  if (summed !== undefined) return shown;
  return [...shown, amounts<Line<Listed>>('In this period', ({ in_period }) => in_period)];
}

/** Returns the column of what a list adds up to. */
function counted<Listed extends Sale>({ name, valueOf }: SaleAmount<Listed>): Column<Line<Listed>> {
  return numbers(name, ({ sale, in_period }) => {
    if (sale === null) return <Money cents={in_period} />;
    const value = <Money cents={valueOf(sale)} />;
    if (BigInt(valueOf(sale)) === in_period) return value;
    const isUnpaid = sale.status === 'pending' && in_period === 0n;
    return withAside(
      value,
      isUnpaid ? 'not counted until paid' : ['counts as ', <Money cents={in_period} />],
    );
  });
}

/** Returns a column of amounts, each with what a refund or chargeback took back below it. */
function afterRefund<Listed>({ name, valueOf, backOf }: SaleAmount<Listed>): Column<Listed> {
  return numbers(name, (sale) => {
    const [amount, back] = [<Money cents={valueOf(sale)} />, backOf?.(sale) ?? null];
    return back === null ? amount : withAside(amount, <Money cents={back} />);
  });
}

const PRODUCT: Column<Sale> = {
  name: 'Product',
  narrow: 'bare',
  cell: ({ product_name, transaction_id }) => withAside(product_name, transaction_id),
};

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

const CUSTOMER: Column<ListedSale> = {
  name: 'Customer',
  narrow: 'title',
  cell: (sale) => {
    const { customer_email: address } = sale;
    const email = <Email address={address} />;
    const hasName = sale.customer_first_name + sale.customer_last_name !== '';
    const name = hasName ? customerName(sale) : email;
    // On a narrow screen, the link of the row is above this one.
    const link = address === '' ? name : <a href={customerPath(address)}>{name}</a>;
    return hasName ? withAside(link, email) : link;
  },
};

const AFFILIATE: Column<ListedSale> = {
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
};

const AMOUNTS_OF_VENDOR: readonly SaleAmount<ListedSale>[] = [
  {
    name: 'Amount',
    figures: ['gross', 'pending_amount'],
    narrow: 'main',
    valueOf: ({ amount }) => amount,
    backOf: ({ refund_amount }) => refund_amount && -refund_amount,
  },
  {
    name: 'Your earnings',
    figures: ['seller_earnings'],
    narrow: 'fact',
    shortName: 'for you',
    valueOf: ({ seller_earnings }) => seller_earnings,
    backOf: ({ seller_refund_impact }) => seller_refund_impact,
  },
];

function columnsOfVendor(shown: Shown): Column<Line<ListedSale>>[] {
  const returned = RETURNED[shown.figure];
  const parties = [PRODUCT, CUSTOMER, AFFILIATE].map((column) => ofSale<ListedSale>(column));
  if (returned !== undefined) return [...ofReturns(returned, shown, parties)];
  return [
    dates(shown),
    ...parties,
    ...amountColumns(AMOUNTS_OF_VENDOR, shown.figure),
    ofSale(STATUS),
  ];
}

/** Words for what lists of refunds and chargebacks have. */
const RETURNED: Readonly<Partial<Record<ListFigure, string>>> = {
  refunded: 'Refunded',
  charged_back: 'Charged back',
};

/**
 * Returns the columns of a list of refunds or chargebacks, which begin with their days.
 * @param parties columns of the product, the customer and the affiliate
 */
function ofReturns(
  name: string,
  { address, total, isByReturn }: Shown,
  parties: readonly Column<Line<ListedSale>>[],
): Column<Line<ListedSale>>[] {
  const day = `${name} on`;
  const cost: Column<ListedSale> = {
    ...numbers('Cost to you', ({ seller_refund_impact: impact }) => moneyOrNone(impact && -impact)),
    narrow: 'fact',
  };
  return [
    {
      ...(isByReturn ? sortedBy(day, 'descending') : { name: day }),
      cell: ({ sale }) => {
        if (sale === null) return total;
        const { transaction_id, refund_date, sale_date, payment } = sale;
        return withAside(
          <a href={transactionPath(transaction_id, address)}>
            {refund_date === null ? 'Unknown day' : <Day at={refund_date} />}
          </a>,
          [payment === 'rebill' ? 'rebill of ' : 'sale of ', <Day at={sale_date} />],
        );
      },
    },
    ...parties,
    {
      ...numbers(name, ({ sale, in_period }) => {
        const returned = <Money cents={in_period} />;
        if (sale === null || BigInt(sale.amount) === in_period) return returned;
        return withAside(returned, ['of ', <Money cents={sale.amount} />]);
      }),
      narrow: 'main',
    },
    ofSale(cost),
  ];
}

/**
 * Returns a list of refunds or chargebacks with the newest first if it has one page. No index has
 * them in this order, so longer lists have the order of their sales.
 */
export function newestReturnFirst(page: TransactionsPage): TransactionsPage | null {
  if (page.role === 'affiliate' || !isWholeListOfReturns(page)) return null;
  const dateOf = ({ refund_date, sale_date }: ListedSale) => refund_date ?? sale_date;
  const transactions = page.transactions.toSorted((one, other) =>
    dateOf(one) < dateOf(other) ? 1 : -1,
  );
  return { ...page, transactions };
}

/**
 * Returns what the refunds or chargebacks of a list cost the vendor, in cents. It is null for a
 * list with several pages, because there are no sums of it, and if the cost of one is unknown.
 */
export function costOfReturns(page: TransactionsPage): bigint | null {
  const { role, transactions } = page;
  if (role === 'affiliate' || transactions.length === 0 || !isWholeListOfReturns(page)) return null;
  let cost = 0n;
  for (const { seller_refund_impact: impact } of transactions) {
    if (impact === null) return null;
    cost -= BigInt(impact);
  }
  return cost;
}

function isWholeListOfReturns({ figure, previous, next, searched_to }: TransactionsPage): boolean {
  const isWhole = previous === null && next === null && searched_to === null;
  return isWhole && isOfReturns(figure);
}

/** Returns true for the amounts of refunds or chargebacks. */
export function isOfReturns(figure: ListFigure): boolean {
  return RETURNED[figure] !== undefined;
}

const AMOUNTS_OF_AFFILIATE: readonly SaleAmount<ListedReferral>[] = [
  {
    name: 'Amount',
    figures: ['gross', 'pending_amount'],
    narrow: 'main',
    valueOf: ({ amount }) => amount,
  },
  {
    name: 'Your commission',
    figures: ['affiliate_commissions'],
    narrow: 'fact',
    shortName: 'for you',
    valueOf: ({ commission }) => commission,
  },
];

function columnsOfAffiliate(shown: Shown): Column<Line<ListedReferral>>[] {
  const others: readonly Column<ListedReferral>[] = [
    { name: 'Status', narrow: 'bare', cell: ({ status }) => <Status of={status} /> },
    {
      name: 'Commission status',
      narrow: 'bare',
      cell: ({ affiliate_commission_status }) => commissionStatusText(affiliate_commission_status),
    },
  ];
  return [
    dates(shown),
    ofSale({ ...PRODUCT, narrow: 'title' }),
    ofSale({ name: 'Vendor', narrow: 'none', cell: ({ vendor_name }) => vendor_name }),
    ...amountColumns(AMOUNTS_OF_AFFILIATE, shown.figure),
    ...others.map((column) => ofSale(column)),
  ];
}

/**
 * Shows the sales of a page to their vendor or affiliate, with what each adds to the figure of the
 * list.
 */
export function Sales({
  page,
  label,
  ...list
}: Pick<Shown, 'address' | 'isByReturn'> & {
  readonly page: TransactionsPage;
  readonly label: string;
}) {
  const { figure } = page;
  const shown = { ...list, figure, total: page.total === null ? 'This page' : 'All pages' };
  return page.role === 'vendor' ? (
    <Table label={label} columns={columnsOfVendor(shown)} {...linesOf(page)} />
  ) : (
    <Table label={label} columns={columnsOfAffiliate(shown)} {...linesOf(page)} />
  );
}

/** Returns the rows of the table of a page, and the row of totals. */
function linesOf<Listed extends Pick<Counted, 'in_period'>>({
  transactions,
  total,
}: Pick<ListPage<unknown, Listed>, 'transactions' | 'total'>) {
  const ofPage = transactions.reduce((sum, { in_period }) => sum + in_period, 0n);
  return {
    rows: transactions.map((sale): Line<Listed> => ({ sale, in_period: sale.in_period })),
    total: { sale: null, in_period: total ?? ofPage },
  };
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
