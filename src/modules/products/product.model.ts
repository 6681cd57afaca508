import type { ProductRecord } from '../../ledger-format/user.record.js';

/** Describes a product, as a ledger file contains it. */
export type Product = ProductRecord;

/** Describes a product and its origin in sources and upstreams of its vendor. */
export interface ProductOfSource extends Product {
  /**
   * Vendor whose source or upstream created the product; null once a record of the operator has
   * named it.
   */
  readonly source_vendor_id: number | null;
  /**
   * Version of the last record of a source or an upstream. It is not compared with versions of the
   * operator.
   */
  readonly source_version: number | null;
}

/** Counts the records of one kind that a product has. */
export interface ProductCount {
  readonly product_id: number;
  readonly found: number;
}
