import { EntitySchema } from 'typeorm';
import { key, optional, text, wholeNumber } from '../../database/columns.js';
import type { Product } from './product.model.js';

export interface ProductRow extends Product {
  readonly record_version: number | null;
}

/** A vendor's product with its current name. */
export const ProductEntity = new EntitySchema<ProductRow>({
  name: 'Product',
  tableName: 'products',
  columns: {
    id: key(wholeNumber()),
    vendor_id: wholeNumber(),
    name: text(),
    record_version: optional(wholeNumber()),
  },
  indices: [{ name: 'products_by_vendor', columns: ['vendor_id', 'id'] }],
});
