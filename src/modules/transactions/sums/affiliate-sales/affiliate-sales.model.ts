/**
 * Lists the kept sums of an affiliate's sales of a product, which docs/api.md#versions-21-and-20
 * defines.
 */
export const AFFILIATE_SUMS = [
  'sales',
  'refunds',
  'chargebacks',
  'revenue',
  'refund_amount',
  'commission_earned',
  'commission_paid',
] as const;
export type AffiliateSum = (typeof AFFILIATE_SUMS)[number];

/**
 * Contains the kept sums of an affiliate's sales of a product. Sales are completed, refunded or
 * charged-back transactions. Money is in cents. The sums are bigints, because they may exceed the
 * integers that a number represents exactly.
 */
export interface AffiliateSales extends Readonly<Record<AffiliateSum, bigint>> {
  /** Date-times are in UTC and null without sales. */
  readonly first_sale_date: string | null;
  readonly last_sale_date: string | null;
}
