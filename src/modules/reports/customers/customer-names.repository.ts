import { Injectable } from '@nestjs/common';
import { type KeysetRange, rangesAfter } from '../../../ledger/reads/keyset.js';
import { byListOrder } from '../../../ledger/reads/transaction-row.model.js';
import type { LedgerPosition, StoredTransaction } from '../../../ledger/reads/transaction.model.js';
import type { Reader } from '../../../platform/database/database.js';
import { emailLookups } from '../../../platform/database/entities/spellings.js';
import type { NameColumn } from '../../transactions/index.js';
import type { CustomerName } from './customer.model.js';

type NamedSale = Pick<
  StoredTransaction,
  'customer_first_name' | 'customer_last_name' | 'customer_email'
>;
interface LatestSale extends NamedSale, LedgerPosition {
  /** Number of the lookup that found it. */
  readonly part: number;
}

const SELECTED = 'customer_first_name, customer_last_name, customer_email';

/**
 * Returns the statements that read the names of an index from a name on, and those behind a place.
 * Each reads one range in the order of the index, so that nothing is sorted.
 */
function namesBy(column: NameColumn, other: NameColumn) {
  const columns = [`customer_${column}`, `customer_${other}`, 'customer_email'];
  const statement = ({ condition, order }: KeysetRange) =>
    `SELECT ${SELECTED} FROM transactions /*! FORCE INDEX (transactions_by_${column}) */
      WHERE vendor_id = ? AND ${condition} AND customer_${column} < ? ORDER BY ${order} LIMIT ?`;
  return {
    from: [statement({ condition: `customer_${column} >= ?`, order: columns.join(', ') })],
    behind: rangesAfter(columns, 'ASC').map(statement),
  };
}

const NAMES = {
  first_name: namesBy('first_name', 'last_name'),
  last_name: namesBy('last_name', 'first_name'),
} as const;

/** A range of an index of names. `until` is not included. */
export interface NameRange {
  readonly column: NameColumn;
  /**
   * Place at which the range begins: a name, which is included, or a key in the order of the index,
   * which is not.
   */
  readonly begin: readonly string[];
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
    { column, begin, until }: NameRange,
    take: number,
  ): Promise<CustomerName[]> {
    const { from, behind } = NAMES[column];
    const names: CustomerName[] = [];
    // The ranges behind a key are those that share most with it, then the others.
    for (const [at, sql] of (begin.length === 1 ? from : behind).entries()) {
      const shared = begin.slice(0, begin.length - at);
      const values = [vendor_id, ...shared, until, take - names.length];
      for (const sale of await reader.select<NamedSale>(sql, values)) names.push(nameIn(sale));
      if (names.length === take) break;
    }
    return names;
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
        `SELECT * FROM (SELECT ${at} AS part, ${SELECTED}, sale_date, vendor_id, arrival FROM transactions
          WHERE ${sql} ORDER BY sale_date DESC, arrival DESC LIMIT 1) part_${at}`,
    );
    const sales = await reader.select<LatestSale>(
      parts.join(' UNION ALL '),
      lookups.flatMap(({ values }) => values),
    );
    const newestFirst = sales.toSorted(byListOrder);
    return emails.map((_, place) => {
      const latest = newestFirst.find(({ part }) => lookups[part]?.place === place);
      return latest === undefined ? null : nameIn(latest);
    });
  }
}

function nameIn(sale: NamedSale): CustomerName {
  return {
    email: sale.customer_email,
    first_name: sale.customer_first_name,
    last_name: sale.customer_last_name,
  };
}
