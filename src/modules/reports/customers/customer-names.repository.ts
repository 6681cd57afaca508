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
interface LatestSale extends NamedSale, Pick<StoredTransaction, 'sale_date'> {
  /** Number of the lookup that found it. */
  readonly part: number;
}

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

  /**
   * Returns the name and the spelling of the e-mail address of the latest sale of a few customers,
   * in the order of these addresses; null for one without a sale.
   */
  async latest(
    reader: Reader,
    vendor_id: number,
    emails: readonly string[],
  ): Promise<(CustomerName | null)[]> {
    if (emails.length === 0) return [];
    const lookups = emails.flatMap((email, place) =>
      emailLookups(['customer_email'], { vendor_id, email }).map((lookup) => ({
        place,
        ...lookup,
      })),
    );
    const parts = lookups.map(
      ({ sql }, at) =>
        `SELECT * FROM (SELECT ${at} AS part, ${SELECTED}, sale_date FROM transactions
          WHERE ${sql} ORDER BY sale_date DESC, arrival DESC LIMIT 1) part_${at}`,
    );
    const sales = await reader.select<LatestSale>(
      parts.join(' UNION ALL '),
      lookups.flatMap(({ values }) => values),
    );
    const ordered = sales.toSorted((one, other) => one.part - other.part);
    return emails.map((_, place) => {
      const [first, ...others] = ordered.filter(({ part }) => lookups[part]?.place === place);
      return first === undefined ? null : nameIn(others.reduce(later, first));
    });
  }
}

function later(one: LatestSale, other: LatestSale): LatestSale {
  return other.sale_date >= one.sale_date ? other : one;
}

function nameIn(sale: NamedSale): CustomerName {
  return {
    email: sale.customer_email,
    first_name: sale.customer_first_name,
    last_name: sale.customer_last_name,
  };
}
