import type { TransactionsPage } from '../../modules/reports/report.model.js';
import type { DayRange } from '../../modules/transactions/report-sums.model.js';
import type {
  AffiliateTransaction,
  ReportKind,
} from '../../modules/transactions/report-transactions.model.js';
import type { Transaction } from '../../modules/transactions/transaction.model.js';
import { Moment } from '../shell/moment.view.js';
import type { Page } from '../shell/page-answer.js';
import { Scroll } from '../shell/scroll.view.js';
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
  /** What alone the list is of, such as `of product 7`; empty where it is of everything. */
  readonly only: string;
  /** Of the report that the list stands behind, and of the list as CSV. */
  readonly reportPath: string;
  readonly csvPath: string;
  /** Makes the address of another page of the list. */
  readonly pagePath: (cursor: string) => string;
}

export function listPage(shown: ShownList): Page {
  const { kind, range, page, only, reportPath, csvPath, pagePath } = shown;
  const { total_count, next, previous, transactions } = page;
  const { start_date, end_date } = range;
  return {
    kind: 'page',
    title: TITLES[kind],
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
              {only !== '' && ` ${only}`},{' '}
            </>
          )}
          {start_date} to {end_date}, newest sale first. <a href={csvPath}>Download as CSV</a>
        </p>
        {transactions.length === 0 ? (
          <p class="empty">None.</p>
        ) : (
          <Scroll label={TITLES[kind]}>
            {page.role === 'vendor' ? (
              <VendorTable transactions={page.transactions} />
            ) : (
              <AffiliateTable transactions={page.transactions} />
            )}
          </Scroll>
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

function VendorTable({ transactions }: { readonly transactions: readonly Transaction[] }) {
  return (
    <table>
      <thead>
        <tr>
          <Heads names={['Sold', 'Transaction', 'Product', 'Customer', 'Affiliate', 'Status']} />
          <Heads names={['Amount', 'Earnings', 'Returned', 'Taken back']} class="number" />
          <Heads names={['Refunded']} />
        </tr>
      </thead>
      <tbody>
        {transactions.map(({ transaction_id, sale_date, customer, affiliate, refund, ...sold }) => (
          <tr>
            <td>
              <Moment at={sale_date} />
            </td>
            <th scope="row">{transaction_id}</th>
            <td>{sold.product_name}</td>
            <td>
              {customer.first_name} {customer.last_name}, {customer.email}
            </td>
            <td>{affiliate === null ? '–' : (affiliate.display_name ?? affiliate.id)}</td>
            <td>{statusText(sold.status)}</td>
            <td class="number">
              <Money cents={sold.amount} />
            </td>
            <td class="number">
              <Money cents={sold.payouts.seller_earnings} />
            </td>
            <td class="number">
              {refund === null ? '–' : <Money cents={refund.amounts.refund_amount} />}
            </td>
            <td class="number">
              {refund === null ? '–' : <Money cents={refund.amounts.seller_refund_impact} />}
            </td>
            <td>{refund === null ? '–' : <Moment at={refund.refund_date} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function AffiliateTable({
  transactions,
}: {
  readonly transactions: readonly AffiliateTransaction[];
}) {
  return (
    <table>
      <thead>
        <tr>
          <Heads names={['Sold', 'Transaction', 'Product', 'Vendor', 'Status', 'Commission is']} />
          <Heads names={['Amount', 'My commission']} class="number" />
        </tr>
      </thead>
      <tbody>
        {transactions.map(({ transaction_id, sale_date, ...sold }) => (
          <tr>
            <td>
              <Moment at={sale_date} />
            </td>
            <th scope="row">{transaction_id}</th>
            <td>{sold.product_name}</td>
            <td>{sold.vendor_name}</td>
            <td>{statusText(sold.status)}</td>
            <td>{sold.affiliate_commission_status.toLowerCase().replace('_', ' ')}</td>
            <td class="number">
              <Money cents={sold.amount} />
            </td>
            <td class="number">
              <Money cents={sold.commission} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The names of some columns. */
function Heads({
  names,
  class: className,
}: {
  readonly names: readonly string[];
  readonly class?: string;
}) {
  return names.map((name) => (
    <th scope="col" class={className}>
      {name}
    </th>
  ));
}

function statusText(status: Transaction['status']): string {
  return status.replace('_', ' ');
}
