import { NAME_TEXT } from '../../../ledger-format/text-rule.js';
import { idIn, SentFields, type ConvertedLine } from '../../upstreams/convert/sent-fields.model.js';

/** Converts a product of version 2.1, or of a sale of version 3.0, to a line of a ledger file. */
export function productLine(item: unknown, vendor_id: number): ConvertedLine {
  const fields = new SentFields(item);
  const id = fields.present('product_id');
  const name = fields.fittedText('product_name', NAME_TEXT) ?? '';
  const line = { type: 'product', id: idIn(id) ?? id, vendor_id, name };
  return { line, changes: fields.changes };
}
