import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../../common/time.js';
import { Database, type Reader } from '../../../database/database.js';
import { keysetOf } from '../../../database/keyset.js';
import { PERSONAL_OF_TRANSACTION } from '../../../ledger-format/personal-data.js';
import type { StoredTransaction } from '../transaction.model.js';

/** Describes the position of a sale in the order of its vendor's sales. */
export type SalePlace = Pick<StoredTransaction, 'sale_date' | 'arrival'>;
export type SoldTransaction = SalePlace & Pick<StoredTransaction, 'transaction_id'>;

export interface SoldBefore {
  readonly vendor_id: number;
  /** Day before which the sales were made. */
  readonly day: string;
  /** Place after which the range begins. */
  readonly after: SalePlace;
}

const IS_PERSONAL = Object.entries(PERSONAL_OF_TRANSACTION)
  .map(([column, empty]) => (empty === null ? `${column} IS NOT NULL` : `${column} <> ''`))
  .join(' OR ');

const NEXT = keysetOf({
  selected: 'transaction_id, sale_date, arrival',
  table: 'transactions',
  where: 'vendor_id = ?',
  order: ['sale_date', 'arrival'],
  direction: 'ASC',
  also: ' AND sale_date < ?',
});

/**
 * Finds sales whose personal data has expired. The SQL is hand-written, because it walks through
 * whole ledgers.
 */
@Injectable()
export class OldTransactionsRepository {
  constructor(private readonly database: Database) {}

  soldBefore(
    reader: Reader,
    { vendor_id, day, after: { sale_date, arrival } }: SoldBefore,
    limit: number,
  ): Promise<SoldTransaction[]> {
    const position = [sale_date, arrival];
    const values = { where: [vendor_id], position, also: [startOfDay(day)], take: limit };
    return reader.select<SoldTransaction>(NEXT.sql, NEXT.values(values));
  }

  async countPersonal(vendor_id: number, { sale_date, arrival }: SalePlace): Promise<number> {
    const [row] = await this.database.select<{ readonly number: number }>(
      `SELECT COUNT(*) AS number FROM transactions
        WHERE vendor_id = ? AND sale_date <= ? AND (sale_date < ? OR arrival <= ?) AND (${IS_PERSONAL})`,
      [vendor_id, sale_date, sale_date, arrival],
    );
    return row?.number ?? 0;
  }
}
