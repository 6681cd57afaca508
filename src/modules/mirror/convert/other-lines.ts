import { NAME_TEXT } from '../../../ledger-format/text-rule.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import { objectOf } from '../../upstreams/convert/known.model.js';
import { idIn, SentFields, type ConvertedLine } from '../../upstreams/convert/sent-fields.model.js';
import type { FieldWords } from '../../upstreams/upstream.model.js';

/** A product of version 2.1, or of a sale of version 3.0, as a ledger file has it. */
export function productLine(item: unknown, vendor_id: number): ConvertedLine {
  const fields = new SentFields(item);
  const id = fields.present('product_id');
  const name = fields.fittedText('product_name', NAME_TEXT) ?? '';
  const line = { type: 'product', id: idIn(id) ?? id, vendor_id, name };
  return { line, changes: fields.changes };
}

/** A recurring payment of version 2.0, as a ledger file has it. */
export function paymentLine(item: unknown, { processor }: FieldWords): WrittenRecord {
  const { preKey, [`${processor}_email`]: processor_email, ...others } = objectOf(item);
  return { ...others, type: 'recurring_payment', pre_key: preKey, processor_email };
}
