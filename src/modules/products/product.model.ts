import type { ProductRecord } from '../../ledger-format/product.record.js';

/** A product, as the ledger format has it. */
export type Product = ProductRecord;

/** A product with what sources and upstreams of its vendor did to it. */
export interface ProductOfSource extends Product {
  /** The vendor whose source or upstream created the product; null once a record of the operator has named it. */
  readonly source_vendor_id: number | null;
  /** The version of the last record of a source or an upstream, with which the operator's are not compared. */
  readonly source_version: number | null;
}

/** How many records of a kind a product has. */
export interface ProductCount {
  readonly product_id: number;
  readonly found: number;
}

/** The columns for versions: the operator's, and that of the sources and upstreams of the vendor. */
export type ProductVersion = 'record_version' | 'source_version';
