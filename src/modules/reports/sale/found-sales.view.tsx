import { transactionPath } from '../../../platform/pages/paths.js';
import { amounts, type Column } from '../../../platform/pages/ui/table.view.js';
import { DateTime, Email } from '../../../platform/pages/ui/values.view.js';
import { Status } from '../../transactions/index.js';
import { customerName, withAside, withLine } from '../lists/sales.view.js';
import type { SearchPage } from './search.service.js';

export type FoundSale = SearchPage['byId'][number];

/**
 * Returns the columns of sales.
 * @param back address of the list, to which the page of a sale leads back
 * @param isOwn false for an affiliate, who does not see customers
 */
export function saleColumns(back: string, isOwn: boolean): Column<FoundSale>[] {
  return [
    {
      name: 'Date',
      cell: ({ transaction_id, sale_date }) =>
        withLine(
          <a href={transactionPath(transaction_id, back)}>
            <DateTime at={sale_date} />
          </a>,
          transaction_id,
        ),
    },
    { name: 'Product', cell: ({ product_name }) => product_name },
    ...(isOwn ? [CUSTOMER] : []),
    { name: 'Status', cell: ({ status }) => <Status of={status} /> },
    amounts('Amount', ({ amount }) => amount),
  ];
}

const CUSTOMER: Column<FoundSale> = {
  name: 'Customer',
  cell: (sale) => withAside(customerName(sale), <Email address={sale.customer_email} />),
};
