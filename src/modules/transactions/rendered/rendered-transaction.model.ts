import { JsonResults } from '../../../common/envelope/json-results.js';
import type { LedgerPosition } from '../transaction.model.js';
import { presentTransaction, type ShownTransaction } from './transaction-3.0.presenter.js';

/**
 * What interface 3.0 shows of a transaction, as it is stored beside its row: one byte that names the
 * form, four with the position of the affiliate's display name (0: no affiliate), then the JSON with
 * `null` for that name. The name is the only part that changes without the transaction.
 */
export type RenderedTransaction = Uint8Array;

/** A transaction of a list, at a revision of its vendor's ledger. */
export interface ListedTransaction extends LedgerPosition {
  readonly revision: number;
  /** Of the current form. */
  readonly rendered: RenderedTransaction;
  readonly affiliate_display_name: string | null;
}

/** Raise it with each change of what `renderTransaction` writes: older bytes are then rendered again. */
const FORM = 1;
const NAME_AT = 1;
const JSON_AT = 5;
const NAME = Buffer.from('"display_name":null');
const NULL = Buffer.byteLength('null');

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
  bytes.writeUInt32LE(name === 0 ? 0 : name + NAME.length - NULL, NAME_AT);
  return bytes;
}

/** The JSON of transactions, each with its affiliate's name. Their bytes are of the current form. */
export function renderedResults(transactions: readonly ListedTransaction[]): JsonResults {
  const results = new JsonResults();
  for (const { rendered, affiliate_display_name } of transactions) {
    const name = positionOfName(rendered);
    if (name === 0 || affiliate_display_name === null) results.add(rendered.subarray(JSON_AT));
    else {
      results.add(
        rendered.subarray(JSON_AT, name),
        Buffer.from(JSON.stringify(affiliate_display_name)),
        rendered.subarray(name + NULL),
      );
    }
  }
  return results;
}

function positionOfName(rendered: RenderedTransaction): number {
  const byteAt = (index: number) => rendered[NAME_AT + index] ?? 0;
  return byteAt(0) | (byteAt(1) << 8) | (byteAt(2) << 16) | (byteAt(3) << 24);
}
