import { DELIVERY_COLUMNS, TAX_FIELDS } from '../../../ledger-format/transaction-fields.js';
import type { PayoutItemRecord } from '../../../ledger-format/transaction.record.js';
import type { StoredTransaction } from '../transaction.model.js';

export const DETAIL_COLUMNS = [
  ...(['sale_date', 'product_name', 'product_id', 'status', 'amount'] as const),
  ...(['pre_key', 'tid', 'vtid', 'shipping_fee', 'vendor_id'] as const),
  ...(['customer_first_name', 'customer_last_name', 'customer_email'] as const),
  ...(['customer_ip', 'customer_phone'] as const),
  ...TAX_FIELDS,
  ...DELIVERY_COLUMNS,
] as const satisfies readonly (keyof StoredTransaction)[];

/**
 * Describes a transaction as the details of API 2.1 read it, at a revision of its vendor's ledger.
 */
export interface DetailRow extends Pick<StoredTransaction, (typeof DETAIL_COLUMNS)[number]> {
  readonly revision: number;
  /** The customer's e-mail address at the payment processor. */
  readonly processor_email: string;
  readonly vendor_name: string;
  readonly vendor_email: string;
  readonly affiliate_id: number | null;
  /** The display name, or the name if there is none. */
  readonly affiliate_name: string | null;
  readonly affiliate_email: string | null;
}

export interface TransactionDetail extends DetailRow {
  readonly payout_items: readonly PayoutItemRecord[];
}
