import { formatCents } from '../../../../common/money.js';
import { formatMoment } from '../../../../common/time.js';
import type { FeedTransaction } from '../../feeds/transaction-feed.model.js';
import { STATUS_OF_2 } from '../../status-words.model.js';

/** Interface 2.9. */
export function presentSummary(transaction: FeedTransaction) {
  return {
    transaction_id: transaction.transaction_id,
    date: formatMoment(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    first_name: transaction.first_name,
    last_name: transaction.last_name,
    processor_email: transaction.processor_email,
  };
}

/** Interface 2.11; without an affiliate its id is 0 and its name empty (decisions: Operations). */
export function presentLatestTransaction(transaction: FeedTransaction) {
  const { affiliate } = transaction;
  // A hundred of these an answer: spelled out they cost a fraction (docs/benchmarks.md).
  return {
    transaction_id: transaction.transaction_id,
    date: formatMoment(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    customer_email: transaction.customer_email,
    ip: transaction.customer_ip ?? '',
    first_name: transaction.first_name,
    last_name: transaction.last_name,
    affiliate_id: affiliate?.id ?? 0,
    affiliate_name: affiliate?.name ?? '',
  };
}

/** Interface 2.10. */
export function presentAffiliateTransaction(transaction: FeedTransaction) {
  const { affiliate } = transaction;
  return {
    transaction_id: transaction.transaction_id,
    date: formatMoment(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    customer_email: transaction.customer_email,
    ip: transaction.customer_ip ?? '',
    first_name: transaction.first_name,
    last_name: transaction.last_name,
    affiliate_commission: formatCents(transaction.affiliate_payout),
    affiliate_commission_status: transaction.affiliate_commission_status,
    affiliate_id: affiliate?.id ?? 0,
    affiliate_name: affiliate?.name ?? '',
  };
}
