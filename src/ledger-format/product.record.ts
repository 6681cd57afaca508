import type { RecordFields } from './record-fields.js';

/** A product of a vendor (ledger format: product). */
export type ProductRecord = Readonly<ReturnType<typeof readProduct>>;

export function readProduct(fields: RecordFields) {
  const vendor_id = fields.id('vendor_id');
  return { id: fields.id('id'), vendor_id, name: fields.plainText('name') };
}
