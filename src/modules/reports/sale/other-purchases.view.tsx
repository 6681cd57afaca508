import { customerPath } from '../../../platform/pages/paths.js';
import { LinkLine, Panel } from '../../../platform/pages/ui/facts.view.js';
import { amounts, type Column, Table } from '../../../platform/pages/ui/table.view.js';
import { Status } from '../../transactions/index.js';
import { dateOfSale } from './found-sales.view.js';
import type { CustomerSale } from './search.service.js';

/** Shows some other sales of a customer, with a link to all of them; nothing if there are none. */
export function OtherPurchases({
  email,
  purchases,
}: {
  readonly email: string;
  readonly purchases: readonly CustomerSale[];
}) {
  if (purchases.length === 0) return null;
  const title = 'Other purchases of this customer';
  return (
    <Panel id="purchases" title={title}>
      <Table label={title} columns={columnsTo(customerPath(email))} rows={purchases} />
      <LinkLine href={customerPath(email)}>All purchases of this customer</LinkLine>
    </Panel>
  );
}

/** @param back address of the customer, to which the page of a sale leads back */
function columnsTo(back: string): Column<CustomerSale>[] {
  return [
    {
      name: 'Date',
      cell: dateOfSale(back),
    },
    { name: 'Product', narrow: 'bare', cell: ({ product_name }) => product_name },
    { name: 'Status', narrow: 'bare', cell: ({ status }) => <Status of={status} /> },
    { ...amounts('Amount', ({ amount }) => amount), narrow: 'main' },
  ];
}
