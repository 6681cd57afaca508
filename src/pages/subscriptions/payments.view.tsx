import {
  MAX_COUNTED,
  type AgreementPayment,
  type AgreementPayments,
} from '../../modules/transactions/agreements/agreement-payments.model.js';
import { STATUS_OF_3 } from '../../modules/transactions/status-words.model.js';
import { Money, numberText } from '../reports/figures.view.js';
import { transactionPath } from '../transactions/transaction-path.js';
import { DateTime } from '../ui/date-time.view.js';
import { Table, type Column } from '../ui/table.view.js';

const COLUMNS: readonly Column<AgreementPayment>[] = [
  {
    name: 'Transaction',
    cell: ({ transaction_id }) => <a href={transactionPath(transaction_id)}>{transaction_id}</a>,
  },
  { name: 'Date', cell: ({ sale_date }) => <DateTime at={sale_date} /> },
  { name: 'Amount', isNumber: true, cell: ({ amount }) => <Money cents={amount} /> },
  { name: 'Status', cell: ({ status }) => STATUS_OF_3[status] },
  {
    name: 'Returned',
    isNumber: true,
    cell: ({ refund_amount }) => (refund_amount === null ? '–' : <Money cents={refund_amount} />),
  },
];

/** Shows the transactions of a subscription, newest first. */
export function AgreementPaymentsTable({ made }: { readonly made: AgreementPayments }) {
  const { earlier } = made;
  const payments = [...made.payments].reverse();
  return (
    <section class="card" aria-labelledby="payments-title">
      <h2 id="payments-title">Transactions, newest first</h2>
      {payments.length === 0 ? (
        <p class="empty">None.</p>
      ) : (
        <Table isWide label="Transactions of this subscription" columns={COLUMNS} rows={payments} />
      )}
      {earlier > 0 && (
        <p>
          {earlier >= MAX_COUNTED ? `${numberText(MAX_COUNTED)} or more` : numberText(earlier)}{' '}
          older, which are not shown.
        </p>
      )}
    </section>
  );
}
