import type { ComponentChildren } from 'preact';
import type {
  AffiliateTransaction,
  VendorTransaction,
} from '../../modules/reports/lists/report-list.model.js';
import type { Transaction } from '../../modules/transactions/transaction.model.js';
import { Money } from '../reports/figures.view.js';
import { DateTime } from '../ui/date-time.view.js';
import { Email } from '../ui/email.view.js';
import { SalesTable, type SaleColumn } from './sales-table.view.js';
import { commissionStatusText, Status } from './status.view.js';
import { transactionPath } from './transaction-path.js';

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
    cell: ({ customer_first_name, customer_last_name, customer_email }) => (
      <>
        {customer_first_name} {customer_last_name}
        <Aside>
          <Email address={customer_email} />
        </Aside>
      </>
    ),
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

export function SalesOfVendor(list: {
  readonly label: string;
  readonly rows: readonly VendorTransaction[];
}) {
  return <SalesTable of="vendor" columns={OF_VENDOR} {...list} />;
}

export function SalesOfAffiliate(list: {
  readonly label: string;
  readonly rows: readonly AffiliateTransaction[];
}) {
  return <SalesTable of="affiliate" columns={OF_AFFILIATE} {...list} />;
}

function Aside({ children }: { readonly children: ComponentChildren }) {
  return <div class="aside">{children}</div>;
}

function moneyOrNone(cents: number | null) {
  return cents === null ? '–' : <Money cents={cents} />;
}
