import type { RecordFields } from './record-fields.js';

/** A product of a vendor (ledger format: product). */
export interface ProductRecord {
  readonly id: number;
  readonly vendor_id: number;
  readonly name: string;
}

export function readProduct(fields: RecordFields): ProductRecord {
  const vendor_id = fields.id('vendor_id');
  return { id: fields.id('id'), vendor_id, name: fields.plainText('name') };
}
