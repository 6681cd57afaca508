/** The numbers of records that belong to a product, by type. */
export interface ProductHoldings {
  readonly product: number;
  readonly relationships: number;
  readonly recurring_payments: number;
  readonly transactions: number;
  /** Days of clicks. */
  readonly clicks: number;
}

/** The vendor has no such product. */
export class UnknownProductError extends Error {}

/** A record of the operator named the product. */
export class NamedProductError extends Error {}
