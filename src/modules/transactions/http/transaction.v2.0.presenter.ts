import { formatCents } from '../../../platform/values/money.js';
import { formatDateTime } from '../../../platform/values/time.js';
import type { FeedTransaction } from '../list/transaction-feed.model.js';
import { STATUS_OF_2 } from '../../../ledger/reads/status-words.model.js';

/** Returns a transaction as the summary of API 2.0. */
export function presentSummary(transaction: FeedTransaction) {
  return {
    transaction_id: transaction.transaction_id,
    date: formatDateTime(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    first_name: transaction.customer_first_name,
    last_name: transaction.customer_last_name,
    processor_email: transaction.processor_email,
  };
}

/**
 * Returns a transaction of the feed `latest-transactions`. Without an affiliate, the id is 0 and
 * the name is empty.
 */
export function presentLatestTransaction(transaction: FeedTransaction) {
  // The fields are listed one by one, because building the object in a loop is slower, and a
  // response has up to 100 of them.
  return {
    transaction_id: transaction.transaction_id,
    date: formatDateTime(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    customer_email: transaction.customer_email,
    ip: transaction.customer_ip ?? '',
    first_name: transaction.customer_first_name,
    last_name: transaction.customer_last_name,
    affiliate_id: transaction.affiliate_id ?? 0,
    affiliate_name: transaction.affiliate_name ?? '',
  };
}

/** Returns a transaction of the feed `latest-affiliates-transactions`. */
export function presentAffiliateTransaction(transaction: FeedTransaction) {
  return {
    transaction_id: transaction.transaction_id,
    date: formatDateTime(transaction.sale_date),
    product_name: transaction.product_name,
    product_id: transaction.product_id,
    status: STATUS_OF_2[transaction.status],
    price: formatCents(transaction.amount),
    customer_email: transaction.customer_email,
    ip: transaction.customer_ip ?? '',
    first_name: transaction.customer_first_name,
    last_name: transaction.customer_last_name,
    affiliate_commission: formatCents(transaction.affiliate_payout),
    affiliate_commission_status: transaction.affiliate_commission_status,
    affiliate_id: transaction.affiliate_id ?? 0,
    affiliate_name: transaction.affiliate_name ?? '',
  };
}
