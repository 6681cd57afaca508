import { EntitySchema } from 'typeorm';
import { key, text, wholeNumber } from '../../database/columns.js';
import type { Product } from './product.model.js';

/** A vendor's product with its current name. */
export const ProductEntity = new EntitySchema<Product>({
  name: 'Product',
  tableName: 'products',
  columns: {
    id: key(wholeNumber()),
    vendor_id: wholeNumber(),
    name: text(),
  },
  indices: [{ name: 'products_by_vendor', columns: ['vendor_id', 'id'] }],
});
