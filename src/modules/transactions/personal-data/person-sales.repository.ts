import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../../database/bulk.js';
import { Database, type Reader } from '../../../database/database.js';
import { spellingsOf } from '../../../database/spellings.js';
import type { StoredTransaction } from '../transaction.model.js';
import type { PersonAtVendor, PersonSales } from './person-sales.model.js';

const EMAIL_COLUMNS = ['customer_email', 'customer_processor_email'] as const;
type EmailColumn = (typeof EMAIL_COLUMNS)[number];

/** An e-mail as some sales of a vendor have it. */
export interface Spelling {
  readonly column: EmailColumn;
  readonly vendor_id: number;
  readonly email: string;
}

/** Where a walk through the sales of a spelling is, newest first. */
export type SalePosition = Pick<StoredTransaction, 'sale_date' | 'arrival'>;
export type PersonSale = SalePosition &
  Pick<StoredTransaction, 'transaction_id' | 'customer_email'>;

/**
 * Finds the sales of a person. By hand: each statement is a range of the index of one e-mail column, so that
 * a person is found among a million sales in milliseconds (docs/benchmarks.md).
 */
@Injectable()
export class PersonSalesRepository {
  constructor(private readonly database: Database) {}

  /** All vendors with a ledger. */
  async vendorIds(): Promise<number[]> {
    const rows = await this.database.select<{ readonly vendor_id: number }>(
      'SELECT vendor_id FROM ledger_revisions ORDER BY vendor_id',
      [],
    );
    return rows.map(({ vendor_id }) => vendor_id);
  }

  async spellings(reader: Reader, { vendor_id, email }: PersonAtVendor): Promise<Spelling[]> {
    const found: Spelling[] = [];
    for (const column of EMAIL_COLUMNS) {
      const all = await spellingsOf(email, (from) =>
        this.emailFrom(reader, { column, vendor_id, email: from }),
      );
      found.push(...all.map((spelling) => ({ column, vendor_id, email: spelling })));
    }
    return found;
  }

  /** The sales of a spelling before a position, newest first. */
  salesBefore(
    reader: Reader,
    { column, vendor_id, email }: Spelling,
    { sale_date, arrival }: SalePosition,
    take: number,
  ): Promise<PersonSale[]> {
    return reader.select<PersonSale>(
      `SELECT transaction_id, customer_email, sale_date, arrival FROM transactions
        WHERE vendor_id = ? AND ${column} = ? AND sale_date <= ?
          AND (sale_date < ? OR arrival < ?)
        ORDER BY sale_date DESC, arrival DESC LIMIT ?`,
      [vendor_id, email, sale_date, sale_date, arrival, take],
    );
  }

  /** @param counted other spellings, of the buyer's e-mail, whose sales are counted already */
  async count(
    reader: Reader,
    { column, vendor_id, email }: Spelling,
    counted: readonly string[],
  ): Promise<PersonSales> {
    const others = counted.length === 0 ? null : isOneOf('customer_email', counted);
    const [row] = await reader.select<PersonSales>(
      `SELECT COUNT(*) AS sales, MIN(sale_date) AS first_sale, MAX(sale_date) AS last_sale
        FROM transactions
        WHERE vendor_id = ? AND ${column} = ? ${others === null ? '' : `AND NOT (${others.sql})`}`,
      [vendor_id, email, ...(others?.values ?? [])],
    );
    return row ?? { sales: 0, first_sale: null, last_sale: null };
  }

  /** The first e-mail of a column at or after this text, or null. */
  async emailFrom(reader: Reader, { column, vendor_id, email }: Spelling): Promise<string | null> {
    const [row] = await reader.select<{ readonly email: string }>(
      `SELECT ${column} AS email FROM transactions WHERE vendor_id = ? AND ${column} >= ?
        ORDER BY ${column} LIMIT 1`,
      [vendor_id, email],
    );
    return row?.email ?? null;
  }

  /** The next e-mails of a column after this text. */
  async emailsAfter({ column, vendor_id, email }: Spelling, take: number): Promise<string[]> {
    const rows = await this.database.select<{ readonly email: string }>(
      `SELECT DISTINCT ${column} AS email FROM transactions WHERE vendor_id = ? AND ${column} > ?
        ORDER BY ${column} LIMIT ?`,
      [vendor_id, email, take],
    );
    return rows.map((row) => row.email);
  }
}
