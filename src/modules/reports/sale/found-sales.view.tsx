import { transactionPath } from '../../../platform/pages/paths.js';
import { amounts, type Column } from '../../../platform/pages/ui/table.view.js';
import { DateTime } from '../../../platform/pages/ui/values.view.js';
import { Status } from '../../transactions/index.js';
import { withAside, withLine } from '../lists/sales.view.js';
import { Marked, MarkedEmail } from './marked.view.js';
import type { CustomerSale, SearchPage } from './search.service.js';

export type FoundSale = SearchPage['byId'][number];

/**
 * Returns the columns of sales.
 * @param sought text that was searched for, which is marked
 * @param back address of the list, to which the page of a sale leads back
 * @param isOwn false for an affiliate, who does not see customers
 */
export function saleColumns(sought: string, back: string, isOwn: boolean): Column<FoundSale>[] {
  return [
    {
      name: 'Date',
      cell: ({ transaction_id, sale_date }) =>
        withLine(
          <a href={transactionPath(transaction_id, back)}>
            <DateTime at={sale_date} />
          </a>,
          <Marked text={transaction_id} sought={sought} />,
        ),
    },
    { name: 'Product', cell: ({ product_name }) => product_name },
    ...(isOwn ? [customers(sought)] : []),
    { name: 'Status', cell: ({ status }) => <Status of={status} /> },
    amounts('Amount', ({ amount }) => amount),
  ];
}

/**
 * Returns the cell of the date of a customer's sale, which leads to its page and marks a rebill.
 * @param back address of the customer, to which the page of the sale leads back
 */
export function dateOfSale(back: string): Column<CustomerSale>['cell'] {
  return ({ transaction_id, sale_date, payment }) => {
    const link = (
      <a href={transactionPath(transaction_id, back)}>
        <DateTime at={sale_date} />
      </a>
    );
    return payment === 'rebill' ? withAside(link, 'rebill') : link;
  };
}

function customers(sought: string): Column<FoundSale> {
  return {
    name: 'Customer',
    cell: ({ customer_first_name, customer_last_name, customer_email }) =>
      withAside(
        <Marked text={`${customer_first_name} ${customer_last_name}`} sought={sought} />,
        <MarkedEmail text={customer_email} sought={sought} />,
      ),
  };
}
