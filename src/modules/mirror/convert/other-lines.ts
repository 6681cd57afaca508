import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import { objectOf } from '../../upstreams/convert/known.model.js';
import type { FieldWords } from '../../upstreams/upstream.model.js';

/** A product (interface 2.12), as a ledger file has it. */
export function productLine(item: unknown, vendor_id: number): WrittenRecord {
  const { product_id, product_name } = objectOf(item);
  return { type: 'product', id: product_id, vendor_id, name: product_name };
}

/** A recurring payment (interface 2.8), as a ledger file has it. */
export function paymentLine(item: unknown, { processor }: FieldWords): WrittenRecord {
  const { preKey, [`${processor}_email`]: processor_email, ...others } = objectOf(item);
  return { ...others, type: 'recurring_payment', pre_key: preKey, processor_email };
}
