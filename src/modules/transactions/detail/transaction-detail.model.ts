import type { DeliveryColumn } from '../../../ledger-format/transaction-fields.js';
import type { PayoutItemRecord } from '../../../ledger-format/transaction.record.js';
import type { TransactionStatus } from '../transaction.model.js';

export interface Party {
  readonly id: number;
  /** An affiliate's is the display name, or the name where there is none (decisions: Values). */
  readonly name: string;
  readonly email: string;
}

export type PayoutItem = PayoutItemRecord;

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
