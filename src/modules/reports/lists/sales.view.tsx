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
import { amounts, type Column, numbers, Table } from '../../../platform/pages/ui/table.view.js';
import { DateTime, Email, Money, moneyOrNone } from '../../../platform/pages/ui/values.view.js';

type Sale = Pick<Transaction, 'transaction_id' | 'sale_date' | 'product_name' | 'amount'>;

/** Returns the column that links to each sale, whose page leads back to the list. */
function dates(back: string): Column<Sale> {
  return {
    name: 'Date',
    cell: ({ transaction_id, sale_date }) => (
      <a href={transactionPath(transaction_id, back)}>
        <DateTime at={sale_date} />
      </a>
    ),
  };
}

const PRODUCT: Column<Sale> = {
  name: 'Product',
  cell: ({ product_name, transaction_id }) => withAside(product_name, transaction_id),
};
const AMOUNT = amounts<Sale>('Amount', ({ amount }) => amount);

const OF_VENDOR: readonly Column<VendorTransaction>[] = [
  PRODUCT,
  {
    name: 'Customer',
    cell: (sale) => withAside(customerName(sale), <Email address={sale.customer_email} />),
  },
  {
    name: 'Affiliate',
    isZero: ({ affiliate_id }) => affiliate_id === null,
    cell: ({ affiliate_id, affiliate_name, tid }) => {
      const name = affiliate_name ?? affiliate_id ?? '–';
      return tid === null ? name : withAside(name, tid);
    },
  },
  AMOUNT,
  amounts('Your earnings', ({ seller_earnings }) => seller_earnings),
  {
    ...numbers('Refunded', ({ refund_amount, seller_refund_impact }) =>
      seller_refund_impact === null
        ? moneyOrNone(refund_amount)
        : withAside(moneyOrNone(refund_amount), <Money cents={seller_refund_impact} />),
    ),
    isZero: ({ refund_amount }) => refund_amount === null,
  },
  {
    name: 'Status',
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
];

const OF_AFFILIATE: readonly Column<AffiliateTransaction>[] = [
  PRODUCT,
  { name: 'Vendor', cell: ({ vendor_name }) => vendor_name },
  AMOUNT,
  amounts('Your commission', ({ commission }) => commission),
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Commission status',
    cell: ({ affiliate_commission_status }) => commissionStatusText(affiliate_commission_status),
  },
];

/** Shows the sales of a page to their vendor or affiliate. */
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
  const date = dates(address);
  return page.role === 'vendor' ? (
    <Table label={label} columns={[date, ...OF_VENDOR]} rows={page.transactions} />
  ) : (
    <Table label={label} columns={[date, ...OF_AFFILIATE]} rows={page.transactions} />
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
