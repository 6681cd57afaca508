import type { PageRequest } from '../../common/paging/paging.js';
import type {
  PayoutField,
  RefundAmountField,
  TrackingField,
} from '../../ledger-format/transaction-fields.js';
import type { TransactionRecord } from '../../ledger-format/transaction.record.js';

export {
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  TRACKING_FIELDS,
} from '../../ledger-format/transaction-fields.js';
export { TRANSACTION_ID } from '../../ledger-format/transaction.record.js';

/** The statuses as the ledger names them; each interface version has words of its own. */
export type TransactionStatus = TransactionRecord['status'];
export type CommissionStatus = TransactionRecord['affiliate_commission_status'];

/** Where a transaction stands in the order of sale and then of arrival. */
export interface LedgerPosition {
  readonly sale_date: string;
  readonly arrival: number;
}

/** A transaction as it is read. Money in cents, date-times as moments in UTC (common/time.ts). */
export interface Transaction {
  readonly transaction_id: string;
  readonly sale_date: string;
  readonly product_id: number;
  /** As it was at the time of sale. */
  readonly product_name: string;
  readonly amount: number;
  readonly status: TransactionStatus;
  readonly customer: {
    readonly email: string;
    readonly first_name: string;
    readonly last_name: string;
  };
  readonly affiliate: { readonly id: number; readonly display_name: string | null } | null;
  readonly tracking: Readonly<Record<TrackingField, string | null>>;
  readonly payouts: Readonly<Record<PayoutField, number>>;
  readonly refund: Refund | null;
}

export interface Refund {
  readonly refund_date: string;
  readonly amounts: Readonly<Record<RefundAmountField, number>>;
}

/** Which page of which whole days (UTC, both included) of one vendor (interface 4.1). */
export interface ListCriteria {
  readonly vendor_id: number;
  readonly start_date: string;
  readonly end_date: string;
  readonly page: PageRequest;
}

export interface TransactionPage {
  /** Of the vendor's ledger, when it was so. */
  readonly revision: number;
  readonly transactions: readonly Transaction[];
  /** All transactions of the range, whatever the page. */
  readonly total_count: number;
}

/** A kept figure that is not what the ledger says. */
export interface Difference {
  readonly figure: string;
  readonly kept: number;
  readonly actual: number;
}
