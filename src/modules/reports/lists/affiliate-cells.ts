import type { Cell } from '../../../common/csv.js';
import { STATUS_OF_3 } from '../../transactions/status-words.model.js';
import { dateTimeCell, moneyCell } from '../../transactions/transaction-cells.model.js';
import type { AffiliateTransaction } from './report-list.model.js';

/** What an affiliate sees of a sale: not the customer, and not the vendor's share. */
export const AFFILIATE_COLUMNS = [
  ...['transaction_id', 'sale_date', 'product_name', 'vendor_name', 'amount', 'status'],
  ...['commission', 'affiliate_commission_status'],
] as const;

/** In the order of `AFFILIATE_COLUMNS`. */
export function affiliateCells(transaction: AffiliateTransaction): Cell[] {
  return [
    { text: transaction.transaction_id },
    dateTimeCell(transaction.sale_date),
    { text: transaction.product_name },
    { text: transaction.vendor_name },
    moneyCell(transaction.amount),
    { value: STATUS_OF_3[transaction.status] },
    moneyCell(transaction.commission),
    { value: transaction.affiliate_commission_status },
  ];
}
