// Lists the columns of the 3.0 list, for the floor and the naive service.
import { PAYOUT_FIELDS, REFUND_AMOUNT_FIELDS, TRACKING_FIELDS } from '../dist/internals.js';

export { PAYOUT_FIELDS, REFUND_AMOUNT_FIELDS, TRACKING_FIELDS };

export const LIST_COLUMNS = [
  'transaction_id',
  'sale_date',
  'product_id',
  'product_name',
  'amount',
  'status',
  'customer_email',
  'customer_first_name',
  'customer_last_name',
  'affiliate_id',
  'refund_date',
  ...TRACKING_FIELDS,
  ...PAYOUT_FIELDS,
  ...REFUND_AMOUNT_FIELDS,
];
