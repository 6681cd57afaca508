import type { ProductRecord } from '../../ledger-format/product.record.js';

/** A product, as the ledger format has it. */
export type Product = ProductRecord;
