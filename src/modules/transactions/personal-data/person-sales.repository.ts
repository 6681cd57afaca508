import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../database/database.js';
import { keysetOf } from '../../../database/keyset.js';
import { emailLookups, type EmailLookup } from '../../../database/spellings.js';
import { columnsWith } from '../../../ledger-format/columns.js';
import type { StoredTransaction } from '../transaction.model.js';
import type { PersonAtVendor, PersonSales } from './person-sales.model.js';

/** Lists the columns whose e-mail address may identify the customer. */
export const EMAIL_COLUMNS = columnsWith({ kind: 'email' });

/** Describes a position among the e-mail addresses in a column of a vendor's sales. */
export interface EmailPosition {
  readonly column: (typeof EMAIL_COLUMNS)[number];
  readonly vendor_id: number;
  readonly email: string;
}

/** Describes a position in a walk through the sales of a look-up, newest first. */
export type SalePosition = Pick<StoredTransaction, 'sale_date' | 'arrival'>;
export type PersonSale = SalePosition & Pick<StoredTransaction, 'transaction_id'>;

/**
 * Finds the sales of a person. The SQL is hand-written, so that each statement reads a range of the
 * index of one e-mail column, and the time does not grow with the ledger.
 */
@Injectable()
export class PersonSalesRepository {
  constructor(private readonly database: Database) {}

  /** Returns all vendors with a ledger. */
  async vendorIds(): Promise<number[]> {
    const rows = await this.database.select<{ readonly vendor_id: number }>(
      'SELECT vendor_id FROM ledger_revisions ORDER BY vendor_id',
      [],
    );
    return rows.map(({ vendor_id }) => vendor_id);
  }

  /** Returns look-ups that together find each sale of a person once. */
  lookups(person: PersonAtVendor): EmailLookup[] {
    return emailLookups(EMAIL_COLUMNS, person);
  }

  /** Returns the sales of a look-up before a position, newest first. */
  salesBefore(
    reader: Reader,
    { sql, values }: EmailLookup,
    { sale_date, arrival }: SalePosition,
    take: number,
  ): Promise<PersonSale[]> {
    const next = keysetOf({
      selected: 'transaction_id, sale_date, arrival',
      table: 'transactions',
      where: sql,
      order: ['sale_date', 'arrival'],
      direction: 'DESC',
    });
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

  /** Returns the next e-mail addresses of a column after this one. */
  async emailsAfter({ column, vendor_id, email }: EmailPosition, take: number): Promise<string[]> {
    const rows = await this.database.select<{ readonly email: string }>(
      `SELECT DISTINCT ${column} AS email FROM transactions WHERE vendor_id = ? AND ${column} > ?
        ORDER BY ${column} LIMIT ?`,
      [vendor_id, email, take],
    );
    return rows.map((row) => row.email);
  }
}
