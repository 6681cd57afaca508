import { EntitySchema } from 'typeorm';
import { key, optional, text, wholeNumber } from '../../database/columns.js';
import type { ProductOfSource } from './product.model.js';

export interface ProductRow extends ProductOfSource {
  /** Version of the operator's last record. */
  readonly record_version: number | null;
}

/** Stores a vendor's product with its current name. */
export const ProductEntity = new EntitySchema<ProductRow>({
  name: 'Product',
  tableName: 'products',
  columns: {
    id: key(wholeNumber()),
    vendor_id: wholeNumber(),
    name: text(),
    record_version: optional(wholeNumber()),
    source_vendor_id: optional(wholeNumber()),
    source_version: optional(wholeNumber()),
  },
  indices: [
    { name: 'products_by_vendor', columns: ['vendor_id', 'id'] },
    {
      name: 'products_by_source',
      columns: ['source_vendor_id', 'id'],
      // Applies to SQLite only, because MySQL and MariaDB have no partial indexes.
      where: 'source_vendor_id IS NOT NULL',
    },
  ],
});
