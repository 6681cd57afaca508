import { numberOfDateTime } from '../../../common/time.js';
import { presentTransaction, type ShownTransaction } from './transaction-3.0.presenter.js';

/**
 * What interface 3.0 shows of a transaction, as it is stored beside its row: one byte that names the
 * form, four with the position of the affiliate's display name (0: no affiliate), six with the sale date,
 * then the JSON with `null` for that name. The name is the only part that changes without the transaction.
 */
export type RenderedTransaction = Buffer;

/** Raise it with each change of what `renderTransaction` writes: older bytes are then rendered again. */
const FORM = 2;
const NAME_AT = 1;
const SALE_AT = 5;
const SALE_BYTES = 6;
export const JSON_AT = SALE_AT + SALE_BYTES;
const NAME = Buffer.from('"display_name":null');
export const NULL_BYTES = Buffer.byteLength('null');

/** That a column holds bytes of another form, or none. */
export function isOutdatedSql(column: string): string {
  const form = FORM.toString(16).padStart(2, '0');
  return `(${column} IS NULL OR SUBSTR(${column}, 1, 1) <> x'${form}')`;
}

export function isCurrent(rendered: RenderedTransaction | null): rendered is RenderedTransaction {
  return rendered?.[0] === FORM;
}

/** The most that the column holds on MySQL. */
const MAX_STORED_BYTES = 65_535;

/** Null if the bytes are too many: then they are rendered at each read. */
export function renderForStorage(transaction: ShownTransaction): RenderedTransaction | null {
  const bytes = renderTransaction(transaction);
  return bytes.length > MAX_STORED_BYTES ? null : bytes;
}

/** The bytes of a transaction, without its affiliate's display name. */
export function renderTransaction(transaction: ShownTransaction): RenderedTransaction {
  const json = JSON.stringify(presentTransaction(transaction, null));
  const bytes = Buffer.allocUnsafe(JSON_AT + Buffer.byteLength(json));
  bytes[0] = FORM;
  bytes.write(json, JSON_AT);
  // A quotation mark within a text is escaped: this stands nowhere else.
  const name = transaction.affiliate_id === null ? 0 : bytes.indexOf(NAME, JSON_AT);
  bytes.writeUInt32LE(name === 0 ? 0 : name + NAME.length - NULL_BYTES, NAME_AT);
  bytes.writeUIntBE(numberOfDateTime(transaction.sale_date), SALE_AT, SALE_BYTES);
  return bytes;
}

/** Where the bytes have `null` for the affiliate's display name; 0 if there is no affiliate. */
export function positionOfName(rendered: RenderedTransaction): number {
  return rendered.readUInt32LE(NAME_AT);
}

/** The sale date, as `numberOfDateTime` gives it. */
export function saleNumberOf(rendered: RenderedTransaction): number {
  return rendered.readUIntBE(SALE_AT, SALE_BYTES);
}
