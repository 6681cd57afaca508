import { formatCents } from '../../../../common/money.js';
import { recordOf } from '../../../../common/record-of.js';
import { formatMoment } from '../../../../common/time.js';
import {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
  type Refund,
  type Transaction,
} from '../../transaction.model.js';
import { STATUS_OF_3 } from '../status-words.js';

/** Interface 2.2. */
export function presentTransaction(transaction: Transaction) {
  const { customer, affiliate, tracking, payouts, refund } = transaction;
  return {
    transaction_id: transaction.transaction_id,
    sale_date: formatMoment(transaction.sale_date),
    product_id: transaction.product_id,
    product_name: transaction.product_name,
    amount: formatCents(transaction.amount),
    status: STATUS_OF_3[transaction.status],
    customer: {
      email: customer.email,
      first_name: customer.first_name,
      last_name: customer.last_name,
    },
    affiliate:
      affiliate === null ? null : { id: affiliate.id, display_name: affiliate.display_name },
    tracking: recordOf(TRACKING_FIELDS, (field) => tracking[field]),
    payouts: recordOf(PAYOUT_FIELDS, (field) => formatCents(payouts[field])),
    refund: refund === null ? null : presentRefund(refund),
  };
}

function presentRefund({ refund_date, amounts }: Refund) {
  return {
    refund_date: formatMoment(refund_date),
    ...recordOf(REFUND_AMOUNT_FIELDS, (field) => formatCents(amounts[field])),
  };
}
