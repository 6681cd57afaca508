import type { ProductRecord } from '../../ledger/records/user.record.js';
import type { ProductRow } from './product.entity.js';

/** Describes a product, as a ledger file contains it. */
export type Product = ProductRecord;

/** Describes a product and its origin in sources and upstreams of its vendor. */
export type ProductOfSource = Omit<ProductRow, 'record_version'>;

/** Counts the records of one kind that a product has. */
export interface ProductCount {
  readonly product_id: number;
  readonly found: number;
}
