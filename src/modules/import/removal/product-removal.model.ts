import { DomainError } from '../../../common/errors/domain-error.js';

/** Counts the records that belong to a product, by type. */
export interface ProductHoldings {
  readonly product: number;
  readonly relationships: number;
  readonly recurring_payments: number;
  readonly transactions: number;
  /** Number of days with clicks. */
  readonly clicks: number;
}

/** Thrown if the vendor has no such product. */
export class UnknownProductError extends DomainError {}

/** Thrown if a record of the operator named the product. */
export class NamedProductError extends DomainError {}
