import { key, optional, text, wholeNumber } from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';

/** Stores a vendor's product with its current name. */
export const ProductEntity = entityOf({
  name: 'Product',
  tableName: 'products',
  columns: {
    id: key(wholeNumber()),
    vendor_id: wholeNumber(),
    name: text(),
    /** Version of the operator's last record. */
    record_version: optional(wholeNumber()),
    /**
     * Vendor whose source or upstream created the product; null once a record of the operator has
     * named it.
     */
    source_vendor_id: optional(wholeNumber()),
    /**
     * Version of the last record of a source or an upstream. It is not compared with versions of
     * the operator.
     */
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
export type ProductRow = EntityRow<typeof ProductEntity>;
