import type { PageRequest } from '../../common/paging/paging.js';

/** Interface 2.2.3: what is known of the click that led to the sale. The one list of these fields. */
export const TRACKING_FIELDS = [
  'vtid',
  'custom',
  'tid',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'sub_id1',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'sub_id5',
  'gclid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'twclid',
  'yclid',
  'other_params',
] as const;

export type TrackingField = (typeof TRACKING_FIELDS)[number];

/** Interface 2.2.4: who gets what of a sale. */
export const PAYOUT_FIELDS = [
  'seller_earnings',
  'affiliate_payout',
  'agent_payout',
  'jv_payout',
  'service_fee',
] as const;

export type PayoutField = (typeof PAYOUT_FIELDS)[number];

/** Interface 2.2.5: what a refund takes back from each party, zero or negative. */
export const REFUND_IMPACT_FIELDS = [
  'seller_refund_impact',
  'affiliate_refund_impact',
  'agent_refund_impact',
  'jv_refund_impact',
] as const;

/** All amounts of a refund; the fee may change either way (ledger format: transaction). */
export const REFUND_AMOUNT_FIELDS = [
  'refund_amount',
  ...REFUND_IMPACT_FIELDS,
  'service_fee_adjustment',
] as const;
export type RefundAmountField = (typeof REFUND_AMOUNT_FIELDS)[number];

export const TAX_FIELDS = [
  'tax_total',
  'international_sales_tax',
  'national_sales_tax',
  'vat_tax',
] as const;
export type TaxField = (typeof TAX_FIELDS)[number];

/** The statuses as the ledger names them; each interface version has words of its own. */
export const TRANSACTION_STATUSES = ['pending', 'completed', 'refunded', 'charged_back'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

export const COMMISSION_STATUSES = ['UNPAID', 'PAID', 'PAYMENT_ERROR', 'REFUNDED'] as const;
export type CommissionStatus = (typeof COMMISSION_STATUSES)[number];

/** A payment key: 1 to 64 printable ASCII characters without spaces (ledger format: transaction). */
export const TRANSACTION_ID = /^[\x21-\x7e]{1,64}$/;

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
