import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../../database/bulk.js';
import type { Reader } from '../../../database/database.js';
import { columnsOf } from '../../../database/named-rows.js';
import type { Viewer } from '../report.model.js';
import { FOUND_COLUMNS, type EmailKey, type FoundSale, type SaleKey } from './search.model.js';

/** Texts from the first one on, up to the last one, which is not among them. */
export interface TextRange {
  readonly from: string;
  readonly until: string;
}

const KEY = ['vendor_id', 'arrival'] as const;
const EMAIL_KEY = 'vendor_id, arrival, customer_email, sale_date';
const OWNERS = { vendor: 'vendor_id', affiliate: 'affiliate_id' } as const;
/** Those that begin with the owner. */
const INDEXES = { vendor: 'PRIMARY', affiliate: 'transactions_by_affiliate' } as const;

/**
 * Finds sales by the beginning of their ids or of their customers' e-mails. By hand: each statement is a
 * range of one index, and reads no further than its LIMIT (docs/benchmarks.md, "Search and filters").
 */
@Injectable()
export class SearchRepository {
  /** Whether the viewer has any sale, from the first entry of an index. */
  async hasSales(reader: Reader, { role, user_id }: Viewer): Promise<boolean> {
    const found = await reader.select<SaleKey>(
      `SELECT ${KEY.join(', ')} FROM transactions /*! FORCE INDEX (${INDEXES[role]}) */
        WHERE ${OWNERS[role]} = ? LIMIT 1`,
      [user_id],
    );
    return found.length > 0;
  }

  /**
   * The id that so many others of the range come before, or null if there are not so many. Over all
   * vendors: an index of each vendor's ids would slow down every import.
   */
  async idAfter(reader: Reader, { from, until }: TextRange, skip: number): Promise<string | null> {
    const [row] = await reader.select<Pick<FoundSale, 'transaction_id'>>(
      `SELECT transaction_id FROM transactions WHERE transaction_id >= ? AND transaction_id < ?
        ORDER BY transaction_id LIMIT 1 OFFSET ?`,
      [from, until, skip],
    );
    return row?.transaction_id ?? null;
  }

  /**
   * The viewer's sales with such ids, in the order of the ids. With `+ 0` no index is used for the owner:
   * databases would rather read all sales of the owner, and sort them.
   */
  salesById(
    reader: Reader,
    { role, user_id }: Viewer,
    { from, until }: TextRange,
    take: number,
  ): Promise<FoundSale[]> {
    return reader.select<FoundSale>(
      `SELECT ${columnsOf('t', FOUND_COLUMNS)} FROM transactions t
        WHERE t.${OWNERS[role]} + 0 = ? AND t.transaction_id >= ? AND t.transaction_id < ?
        ORDER BY t.transaction_id LIMIT ?`,
      [user_id, from, until, take],
    );
  }

  /** A vendor's sales with such e-mails, in the order of the e-mails alone. */
  emailsFrom(
    reader: Reader,
    vendor_id: number,
    { from, until }: TextRange,
    take: number,
  ): Promise<EmailKey[]> {
    return reader.select<EmailKey>(
      `SELECT ${EMAIL_KEY} FROM transactions
        WHERE vendor_id = ? AND customer_email >= ? AND customer_email < ?
        ORDER BY customer_email LIMIT ?`,
      [vendor_id, from, until, take],
    );
  }

  /** A customer's sales before a position, newest first. */
  salesBefore(reader: Reader, position: EmailKey, take: number): Promise<EmailKey[]> {
    const { vendor_id, arrival, customer_email, sale_date } = position;
    return reader.select<EmailKey>(
      `SELECT ${EMAIL_KEY} FROM transactions
        WHERE vendor_id = ? AND customer_email = ? AND sale_date <= ?
          AND (sale_date < ? OR arrival < ?)
        ORDER BY sale_date DESC, arrival DESC LIMIT ?`,
      [vendor_id, customer_email, sale_date, sale_date, arrival, take],
    );
  }

  /** The sales with these keys, in their order. */
  async salesOf(reader: Reader, keys: readonly SaleKey[]): Promise<FoundSale[]> {
    const rows = await selectByKeys<FoundSale>(
      reader,
      `SELECT ${FOUND_COLUMNS.join(', ')} FROM transactions`,
      KEY,
      keys.map(({ vendor_id, arrival }) => [vendor_id, arrival]),
    );
    const found = new Map(rows.map((row) => [textOf(row), row]));
    return keys.flatMap((key) => found.get(textOf(key)) ?? []);
  }

  /** The viewer's sale with this key, or null. */
  async saleAt(
    reader: Reader,
    { role, user_id }: Viewer,
    { vendor_id, arrival }: SaleKey,
  ): Promise<FoundSale | null> {
    const [row = null] = await reader.select<FoundSale>(
      `SELECT ${columnsOf('t', FOUND_COLUMNS)} FROM transactions t
        WHERE t.vendor_id = ? AND t.arrival = ? AND t.${OWNERS[role]} = ?`,
      [vendor_id, arrival, user_id],
    );
    return row;
  }
}

function textOf({ vendor_id, arrival }: SaleKey): string {
  return `${vendor_id}-${arrival}`;
}
