import type { RecordFields } from './record-fields.js';

/** Describes a product, as in a record of type `product` (docs/ledger-file.md). */
export type ProductRecord = Readonly<ReturnType<typeof readProduct>>;

export function readProduct(fields: RecordFields) {
  const vendor_id = fields.id('vendor_id');
  return { id: fields.id('id'), vendor_id, name: fields.plainText('name') };
}
