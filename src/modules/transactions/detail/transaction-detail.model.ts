import type { TransactionStatus } from '../transaction.model.js';

export interface Party {
  readonly id: number;
  /** An affiliate's is the display name, or the name where there is none (decisions: Values). */
  readonly name: string;
  readonly email: string;
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
