import type { ComponentChildren } from 'preact';
import type { DayRange } from '../../modules/reports/report.model.js';
import type {
  AffiliateTransaction,
  ReportKind,
  TransactionsPage,
} from '../../modules/reports/lists/report-list.model.js';
import type { Transaction } from '../../modules/transactions/transaction.model.js';
import { DateTime } from '../ui/date-time.view.js';
import type { Page } from '../http/page-answer.js';
import { Downloads, type DownloadLink } from './downloads.view.js';
import { Table, type Column } from '../ui/table.view.js';
import { Money, numberText } from './figures.view.js';

const TITLES: Readonly<Record<ReportKind, string>> = {
  all: 'Transactions',
  sales: 'Sales',
  pending: 'Pending transactions',
  refunds: 'Refunds',
  chargebacks: 'Chargebacks',
};

export interface ShownList {
  readonly kind: ReportKind;
  readonly range: DayRange;
  readonly page: TransactionsPage;
  /** The filter in words, such as `of product 7`, or empty. */
  readonly filter: string;
  readonly reportPath: string;
  readonly downloads: readonly DownloadLink[];
  readonly pagePath: (cursor: string) => string;
}

export function listPage(shown: ShownList): Page {
  const { kind, range, page, filter, reportPath, downloads, pagePath } = shown;
  const { total_count, next, previous, transactions } = page;
  const { start_date, end_date } = range;
  return {
    kind: 'page',
    title: TITLES[kind],
    isWide: true,
    view: (
      <>
        <p>
          <a href={reportPath}>Back to the report</a>
        </p>
        <h1>{TITLES[kind]}</h1>
        <p>
          {total_count !== null && (
            <>
              <strong>{numberText(total_count)}</strong>{' '}
              {total_count === 1 ? 'transaction' : 'transactions'}
              {filter !== '' && ` ${filter}`},{' '}
            </>
          )}
          {start_date} to {end_date}, newest sale first.
        </p>
        <p>
          <Downloads links={downloads} />
        </p>
        {transactions.length === 0 ? (
          <p class="empty">None.</p>
        ) : page.role === 'vendor' ? (
          <Table isWide label={TITLES[kind]} columns={OF_VENDOR} rows={page.transactions} />
        ) : (
          <Table isWide label={TITLES[kind]} columns={OF_AFFILIATE} rows={page.transactions} />
        )}
        <nav class="pages" aria-label="Pages">
          {previous !== null && (
            <a class="button quiet" href={pagePath(previous)} rel="prev">
              Newer
            </a>
          )}
          {next !== null && (
            <a class="button quiet" href={pagePath(next)} rel="next">
              Older
            </a>
          )}
        </nav>
      </>
    ),
  };
}

function statusText(status: Transaction['status']): string {
  return status.replace('_', ' ');
}

const SOLD = {
  name: 'Transaction',
  cell: ({ transaction_id, sale_date }: Pick<Transaction, 'transaction_id' | 'sale_date'>) => (
    <>
      {transaction_id}
      <Aside>
        sold <DateTime at={sale_date} />
      </Aside>
    </>
  ),
};

const OF_VENDOR: readonly Column<Transaction>[] = [
  SOLD,
  { name: 'Product', cell: ({ product_name }) => product_name },
  {
    name: 'Customer',
    cell: ({ customer_first_name, customer_last_name, customer_email }) => (
      <>
        {customer_first_name} {customer_last_name}
        <Aside>{customer_email}</Aside>
      </>
    ),
  },
  {
    name: 'Affiliate',
    cell: ({ affiliate_id, affiliate_display_name }) =>
      affiliate_display_name ?? affiliate_id ?? '–',
  },
  {
    name: 'Status',
    cell: ({ status, refund_date }) => (
      <>
        {statusText(status)}
        {refund_date !== null && (
          <Aside>
            refunded <DateTime at={refund_date} />
          </Aside>
        )}
      </>
    ),
  },
  { name: 'Amount', isNumber: true, cell: ({ amount }) => <Money cents={amount} /> },
  {
    ...{ name: 'Earnings', isNumber: true },
    cell: ({ seller_earnings }) => <Money cents={seller_earnings} />,
  },
  {
    ...{ name: 'Returned', isNumber: true },
    cell: ({ refund_amount }) => moneyOrNone(refund_amount),
  },
  {
    ...{ name: 'Refund impact', isNumber: true },
    cell: ({ seller_refund_impact }) => moneyOrNone(seller_refund_impact),
  },
];

const OF_AFFILIATE: readonly Column<AffiliateTransaction>[] = [
  SOLD,
  { name: 'Product', cell: ({ product_name }) => product_name },
  { name: 'Vendor', cell: ({ vendor_name }) => vendor_name },
  { name: 'Status', cell: ({ status }) => statusText(status) },
  {
    name: 'Commission status',
    cell: (sold) => sold.affiliate_commission_status.toLowerCase().replace('_', ' '),
  },
  { name: 'Amount', isNumber: true, cell: ({ amount }) => <Money cents={amount} /> },
  { name: 'My commission', isNumber: true, cell: ({ commission }) => <Money cents={commission} /> },
];

function Aside({ children }: { readonly children: ComponentChildren }) {
  return <div class="aside">{children}</div>;
}

function moneyOrNone(cents: number | null) {
  return cents === null ? '–' : <Money cents={cents} />;
}
