import type { CommissionStatus, TransactionStatus } from '../transaction.model.js';

/** Interface 8: the most items that one call of a feed answers. */
export const FEED_SIZE = 100;

/** Interface 8: how far the affiliate feed reaches back where it is given no starting point. */
export const AFFILIATE_FEED_DAYS = 90;

export interface Party {
  readonly id: number;
  /** An affiliate's is the display name, or the name where there is none (decisions: Values). */
  readonly name: string;
  readonly email: string;
}

/** A transaction as the 2.0 operations show it. Money in cents, date-times as moments in UTC. */
export interface FeedTransaction {
  readonly transaction_id: string;
  readonly sale_date: string;
  readonly product_name: string;
  readonly product_id: number;
  readonly status: TransactionStatus;
  readonly amount: number;
  readonly customer_email: string;
  readonly customer_ip: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly affiliate: Pick<Party, 'id' | 'name'> | null;
  readonly affiliate_payout: number;
  readonly affiliate_commission_status: CommissionStatus;
  /** The customer's at the payment processor. */
  readonly processor_email: string;
}

/** Where a feed goes on: after this transaction, in the order of sale and then of arrival. */
export interface FeedPosition {
  readonly sale_date: string;
  readonly arrival: number;
}

export interface PayoutItem {
  readonly payee_amount: number;
  readonly payee_user_id: number;
  readonly payee_name: string;
  readonly payout_type: string;
  readonly payment_processor: string;
  readonly payout_status: string;
}

/** Everything that is known of a transaction (interface 2.6). */
export interface TransactionDetail {
  readonly sale_date: string;
  readonly product_name: string;
  readonly product_id: number;
  readonly status: TransactionStatus;
  readonly amount: number;
  readonly pre_key: string | null;
  readonly tid: string | null;
  readonly vtid: string | null;
  readonly tax_total: number | null;
  readonly international_sales_tax: number | null;
  readonly national_sales_tax: number | null;
  readonly vat_tax: number | null;
  /** Millionths. */
  readonly shipping_fee: number | null;
  readonly customer: {
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly ip: string | null;
    readonly phone: string | null;
    /** At the payment processor. */
    readonly processor_email: string;
  };
  readonly vendor: Party;
  readonly affiliate: Party | null;
  readonly delivery: Readonly<Record<DeliveryColumn, string | null>>;
  readonly payout_items: readonly PayoutItem[];
}

export const DELIVERY_COLUMNS = [
  'delivery_name',
  'delivery_phone',
  'delivery_address_line_1',
  'delivery_address_line_2',
  'delivery_city',
  'delivery_region',
  'delivery_postal_code',
  'delivery_country',
] as const;
export type DeliveryColumn = (typeof DELIVERY_COLUMNS)[number];
