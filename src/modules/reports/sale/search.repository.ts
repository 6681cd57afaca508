import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../../platform/database/bulk.js';
import type { Reader } from '../../../platform/database/database.js';
import { keysetOf } from '../../../ledger/reads/keyset.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import { emailLookups } from '../../../platform/database/entities/spellings.js';
import { byListOrder } from '../../../ledger/reads/transaction-row.model.js';
import type { Viewer } from '../report.model.js';
import { columnsWith } from '../../../ledger/columns.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';

const FOUND_COLUMNS = ['vendor_id', 'arrival', ...columnsWith({ search: true })] as const;

/** A sale that was found. Money is in cents. An affiliate must not see the customer. */
export type FoundSale = Pick<StoredTransaction, (typeof FOUND_COLUMNS)[number]>;

/**
 * Position of a sale in the order of transaction ids, or in that of e-mail addresses, newest first
 * within each.
 */
export type SaleKey = Pick<FoundSale, 'vendor_id' | 'arrival'>;
export type EmailKey = SaleKey & Pick<FoundSale, 'customer_email' | 'sale_date'>;

/** A range of texts; `from` is included, `until` is not. */
interface TextRange {
  readonly from: string;
  readonly until: string;
}

const KEY = ['vendor_id', 'arrival'] as const;
const EMAIL_KEY = 'vendor_id, arrival, customer_email, sale_date';
const SALES_OF_CUSTOMER = keysetOf({
  selected: EMAIL_KEY,
  table: 'transactions',
  where: 'vendor_id = ? AND customer_email = ?',
  order: ['sale_date', 'arrival'],
  direction: 'DESC',
});
const OWNERS = { vendor: 'vendor_id', affiliate: 'affiliate_id' } as const;
/** Names of the indexes that begin with the owner. */
const INDEXES = { vendor: 'PRIMARY', affiliate: 'transactions_by_affiliate' } as const;

/**
 * Finds sales by the beginning of their ids or of their customers' e-mail addresses. The SQL is
 * written by hand: each statement reads a range of one index, and no further than its LIMIT
 * (docs/measurements/account-pages.md#search-and-filters).
 */
@Injectable()
export class SearchRepository {
  /** Returns whether the viewer has any sale, from the first entry of an index. */
  async hasSales(reader: Reader, { role, user_id }: Viewer): Promise<boolean> {
    const found = await reader.select<SaleKey>(
      `SELECT ${KEY.join(', ')} FROM transactions /*! FORCE INDEX (${INDEXES[role]}) */
        WHERE ${OWNERS[role]} = ? LIMIT 1`,
      [user_id],
    );
    return found.length > 0;
  }

  /**
   * Returns the id that follows `skip` others of the range, or null if there are no more. It counts
   * ids of all vendors, because an index of each vendor's ids would slow down every import.
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
   * Returns the viewer's sales with ids in the range, in the order of the ids. `+ 0` prevents the
   * use of an index of the owner: databases would otherwise read all sales of the owner and sort
   * them.
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

  /**
   * Returns a vendor's sales with e-mail addresses in the range, ordered by e-mail address alone.
   */
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

  /** Returns a customer's sales before a position, newest first. */
  salesBefore(
    reader: Reader,
    { vendor_id, arrival, customer_email, sale_date }: EmailKey,
    take: number,
  ): Promise<EmailKey[]> {
    const where = [vendor_id, customer_email];
    const position = [sale_date, arrival];
    const { sql } = SALES_OF_CUSTOMER;
    return reader.select<EmailKey>(sql, SALES_OF_CUSTOMER.values({ where, position, take }));
  }

  /** Returns the latest sales of a customer, newest first, however they spell the e-mail address. */
  async salesOfCustomer(
    reader: Reader,
    vendor_id: number,
    email: string,
    take: number,
  ): Promise<FoundSale[]> {
    const found: FoundSale[] = [];
    for (const { sql, values } of emailLookups(['customer_email'], { vendor_id, email })) {
      const sales = await reader.select<FoundSale>(
        `SELECT ${FOUND_COLUMNS.join(', ')} FROM transactions
          WHERE ${sql} ORDER BY sale_date DESC, arrival DESC LIMIT ?`,
        [...values, take],
      );
      found.push(...sales);
    }
    return found.sort(byListOrder).slice(0, take);
  }

  /** Returns the newest sale of a vendor, or null if there is none. */
  async latestSale(reader: Reader, vendor_id: number): Promise<FoundSale | null> {
    const [sale = null] = await reader.select<FoundSale>(
      `SELECT ${FOUND_COLUMNS.join(', ')} FROM transactions
        WHERE vendor_id = ? ORDER BY sale_date DESC, arrival DESC LIMIT 1`,
      [vendor_id],
    );
    return sale;
  }

  /** Returns the sales with these keys, in the order of the keys. */
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

  /** Returns the viewer's sale with this key, or null if there is none. */
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
