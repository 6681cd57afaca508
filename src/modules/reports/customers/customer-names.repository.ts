import { Injectable } from '@nestjs/common';
import { keysetOf } from '../../../ledger/reads/keyset.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';
import type { Reader } from '../../../platform/database/database.js';
import { emailLookups } from '../../../platform/database/entities/spellings.js';
import type { NameColumn } from '../../transactions/index.js';
import type { CustomerName } from './customer.model.js';

type NamedSale = Pick<
  StoredTransaction,
  'customer_first_name' | 'customer_last_name' | 'customer_email'
>;
type DatedSale = NamedSale & Pick<StoredTransaction, 'sale_date'>;

const SELECTED = 'customer_first_name, customer_last_name, customer_email';

/** The statement that reads the next names of an index. */
function namesBy(column: NameColumn, other: NameColumn) {
  return keysetOf({
    selected: SELECTED,
    table: `transactions /*! FORCE INDEX (transactions_by_${column}) */`,
    where: 'vendor_id = ?',
    order: [`customer_${column}`, `customer_${other}`, 'customer_email'],
    direction: 'ASC',
    also: ` AND customer_${column} < ?`,
  });
}

const NAMES = {
  first_name: namesBy('first_name', 'last_name'),
  last_name: namesBy('last_name', 'first_name'),
} as const;

/** A range of an index of names. `until` is not included. */
export interface NameRange {
  readonly column: NameColumn;
  /** Position after which the range begins, in the order of the index. */
  readonly after: readonly string[];
  readonly until: string;
}

/**
 * Reads the names of a vendor's customers with hand-written SQL: each statement reads the next
 * entries of one index, which contains all that it returns.
 */
@Injectable()
export class CustomerNamesRepository {
  /** Returns the names of the next sales. Those of a customer with several sales are repeated. */
  async next(
    reader: Reader,
    vendor_id: number,
    { column, after, until }: NameRange,
    take: number,
  ): Promise<CustomerName[]> {
    const { sql, values } = NAMES[column];
    const rows = await reader.select<NamedSale>(
      sql,
      values({ where: [vendor_id], position: after, also: [until], take }),
    );
    return rows.map(nameIn);
  }

  /** Returns the name and the spelling of the e-mail address of the customer's latest sale. */
  async latest(reader: Reader, vendor_id: number, email: string): Promise<CustomerName | null> {
    let found: DatedSale | undefined;
    for (const { sql, values } of emailLookups(['customer_email'], { vendor_id, email })) {
      const [sale] = await reader.select<DatedSale>(
        `SELECT ${SELECTED}, sale_date FROM transactions
          WHERE ${sql} ORDER BY sale_date DESC, arrival DESC LIMIT 1`,
        values,
      );
      if (sale !== undefined && (found?.sale_date ?? '') <= sale.sale_date) found = sale;
    }
    return found === undefined ? null : nameIn(found);
  }
}

function nameIn(sale: NamedSale): CustomerName {
  return {
    email: sale.customer_email,
    first_name: sale.customer_first_name,
    last_name: sale.customer_last_name,
  };
}
