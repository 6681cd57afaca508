/**
 * Lists the tracking fields: data of the checkout, and of the click that led to the sale
 * (docs/ledger-file.md#transaction).
 */
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

/** Lists the shares of a sale (docs/ledger-file.md#transaction). */
export const PAYOUT_FIELDS = [
  'seller_earnings',
  'affiliate_payout',
  'agent_payout',
  'jv_payout',
  'service_fee',
] as const;

export type PayoutField = (typeof PAYOUT_FIELDS)[number];

/** Lists the amounts that a refund takes back from each party. Each is zero or negative. */
export const REFUND_IMPACT_FIELDS = [
  'seller_refund_impact',
  'affiliate_refund_impact',
  'agent_refund_impact',
  'jv_refund_impact',
] as const;

/** Lists all amounts of a refund. The service fee can change in either direction. */
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

/** Lists the columns for the fields of `delivery`: `delivery_` and the name of the field. */
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
