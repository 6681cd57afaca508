import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../platform/values/time.js';
import { Database, type Reader } from '../../platform/database/database.js';
import { selectByKeys } from '../../platform/database/bulk.js';
import { keysetOf } from '../../ledger/reads/keyset.js';
import type { EmailLookup } from '../../platform/database/entities/spellings.js';
import { columnsWith } from '../../ledger/columns.js';
import { PERSONAL_OF_TRANSACTION } from '../../ledger/records/personal-data.js';
import type { StoredTransaction } from '../../ledger/reads/transaction.model.js';

/** Lists the columns whose e-mail address may identify the customer. */
export const EMAIL_COLUMNS = columnsWith({ kind: 'email' });

/** Describes a position in a walk through the sales of a vendor. */
export type SalePosition = Pick<StoredTransaction, 'sale_date' | 'arrival'>;
export type PersonSale = SalePosition & Pick<StoredTransaction, 'transaction_id'>;

export interface PersonSales {
  readonly sales: number;
  /** Dates are in UTC and null without sales. */
  readonly first_sale: string | null;
  readonly last_sale: string | null;
}

export interface SoldBefore {
  readonly vendor_id: number;
  /** Day before which the sales were made. */
  readonly day: string;
  /** Position after which the range begins. */
  readonly after: SalePosition;
}

const IS_PERSONAL = Object.entries(PERSONAL_OF_TRANSACTION)
  .map(([column, empty]) => (empty === null ? `${column} IS NOT NULL` : `${column} <> ''`))
  .join(' OR ');

const SALES = {
  selected: 'transaction_id, sale_date, arrival',
  table: 'transactions',
  order: ['sale_date', 'arrival'],
} as const;
const NEXT = keysetOf({
  ...SALES,
  where: 'vendor_id = ?',
  direction: 'ASC',
  also: ' AND sale_date < ?',
});

/**
 * Finds the sales of a person, and sales whose personal data has expired. The SQL is hand-written:
 * each statement on a person reads a range of the index of one e-mail column, so its time does not
 * grow with the ledger, and the others walk through whole ledgers.
 */
@Injectable()
export class PersonSalesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the sales of a look-up before a position, newest first. */
  salesBefore(
    reader: Reader,
    { sql, values }: EmailLookup,
    { sale_date, arrival }: SalePosition,
    take: number,
  ): Promise<PersonSale[]> {
    const next = keysetOf({ ...SALES, where: sql, direction: 'DESC' });
    const position = [sale_date, arrival];
    return reader.select<PersonSale>(next.sql, next.values({ where: values, position, take }));
  }

  async count(reader: Reader, { sql, values }: EmailLookup): Promise<PersonSales> {
    const [row] = await reader.select<PersonSales>(
      `SELECT COUNT(*) AS sales, MIN(sale_date) AS first_sale, MAX(sale_date) AS last_sale
        FROM transactions WHERE ${sql}`,
      values,
    );
    return row ?? { sales: 0, first_sale: null, last_sale: null };
  }

  /** Returns the next sales that were made before a day, oldest first. */
  soldBefore(
    reader: Reader,
    { vendor_id, day, after: { sale_date, arrival } }: SoldBefore,
    limit: number,
  ): Promise<PersonSale[]> {
    const position = [sale_date, arrival];
    const values = { where: [vendor_id], position, also: [startOfDay(day)], take: limit };
    return reader.select<PersonSale>(NEXT.sql, NEXT.values(values));
  }

  /** Returns the customers' e-mails and the dates of these sales of a vendor. */
  emailsOf(vendor_id: number, ids: readonly string[]) {
    return selectByKeys<Pick<StoredTransaction, 'transaction_id' | 'customer_email' | 'sale_date'>>(
      this.database,
      'SELECT transaction_id, customer_email, sale_date FROM transactions',
      ['vendor_id', 'transaction_id'],
      ids.map((transaction_id) => [vendor_id, transaction_id]),
    );
  }

  /** Counts the vendor's sales with personal data up to a position. */
  async countPersonal(vendor_id: number, { sale_date, arrival }: SalePosition): Promise<number> {
    const [row] = await this.database.select<{ readonly number: number }>(
      `SELECT COUNT(*) AS number FROM transactions
        WHERE vendor_id = ? AND sale_date <= ? AND (sale_date < ? OR arrival <= ?) AND (${IS_PERSONAL})`,
      [vendor_id, sale_date, sale_date, arrival],
    );
    return row?.number ?? 0;
  }
}
