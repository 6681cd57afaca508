import { Injectable } from '@nestjs/common';
import { keysetOf } from '../../../ledger/reads/keyset.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';
import { IS_REFUND } from '../../../ledger/sums/kept-sums.model.js';
import type { Reader } from '../../../platform/database/database.js';
import type { EmailLookup } from '../../../platform/database/entities/spellings.js';
import type { CustomerSums } from './customer.model.js';

/** Limits the sales that one statement adds up, so that no statement blocks others for long. */
@Injectable()
export class CustomerSlices {
  readonly size: number = 10_000;
}

type Place = Pick<StoredTransaction, 'sale_date' | 'arrival'>;
const BEGINNING: Place = { sale_date: '1000-01-01 00:00:00', arrival: -1 };

/** The sums are text, because they may exceed the integers that a number represents exactly. */
export interface SumsRow extends Pick<
  CustomerSums,
  'transactions' | 'sales' | 'first_sale_date' | 'last_sale_date'
> {
  readonly gross: string;
  readonly refunded: string;
  readonly seller_earnings: string;
}

export const ORDER = ['sale_date', 'arrival'] as const;
const LAST = ORDER.map((column) => `${column} DESC`).join(', ');
const IS_SALE = "status <> 'pending'";
const AMOUNTS = {
  gross: [IS_SALE, 'amount'],
  refunded: [IS_REFUND, 'COALESCE(refund_amount, 0)'],
  seller_earnings: [IS_SALE, 'seller_earnings + COALESCE(seller_refund_impact, 0)'],
} as const;
export const SUMS = [
  'CAST(COUNT(*) AS SIGNED) AS transactions',
  `CAST(COUNT(CASE WHEN ${IS_SALE} THEN 1 END) AS SIGNED) AS sales`,
  `MIN(CASE WHEN ${IS_SALE} THEN sale_date END) AS first_sale_date`,
  `MAX(CASE WHEN ${IS_SALE} THEN sale_date END) AS last_sale_date`,
  ...Object.entries(AMOUNTS).map(
    ([name, [condition, cents]]) =>
      `CAST(COALESCE(SUM(CASE WHEN ${condition} THEN ${cents} ELSE 0 END), 0) AS CHAR) AS ${name}`,
  ),
].join(', ');
export const SUMMED =
  'sale_date, arrival, status, refund_date, amount, refund_amount, seller_earnings, seller_refund_impact';

/**
 * Adds up the sales of a customer with more of them than one statement may read, with hand-written
 * SQL. Each statement reads a slice of a range of the index of the e-mail address.
 */
@Injectable()
export class CustomerSlicesRepository {
  constructor(private readonly slice: CustomerSlices) {}

  /**
   * Yields the sums of the sales that follow those that have been added up, of customers whose first
   * sales these are.
   */
  async *after(
    reader: Reader,
    { column, vendor_id }: { readonly column: string; readonly vendor_id: number },
    cut: readonly (SumsRow & { readonly email: string })[],
  ) {
    for (const { email, transactions } of cut) {
      const lookup = { sql: `vendor_id = ? AND ${column} = ?`, values: [vendor_id, email] };
      const summed = keysetOf({ ...rangeOf(lookup), selected: SUMMED });
      let place = await this.placeAfter(reader, lookup, BEGINNING, transactions);
      while (place !== undefined) {
        const [row] = await reader.select<SumsRow>(
          `SELECT ${SUMS} FROM (${summed.sql}) slice`,
          summed.values(valuesAfter(lookup, place, this.slice.size)),
        );
        if (row === undefined) return;
        yield { email, sums: sumsIn(row) };
        const isFull = row.transactions === this.slice.size;
        place = isFull ? await this.placeAfter(reader, lookup, place, row.transactions) : undefined;
      }
    }
  }

  /** Returns the place of the last of the next sales. */
  private async placeAfter(reader: Reader, lookup: EmailLookup, after: Place, take: number) {
    const places = keysetOf({ ...rangeOf(lookup), selected: ORDER.join(', ') });
    const [place] = await reader.select<Place>(
      `SELECT ${ORDER.join(', ')} FROM (${places.sql}) slice ORDER BY ${LAST} LIMIT 1`,
      places.values(valuesAfter(lookup, after, take)),
    );
    return place;
  }
}

function rangeOf({ sql }: EmailLookup) {
  return { table: 'transactions', where: sql, order: ORDER, direction: 'ASC' } as const;
}

function valuesAfter({ values }: EmailLookup, { sale_date, arrival }: Place, take: number) {
  return { where: values, position: [sale_date, arrival], take };
}

export function sumsIn({ gross, refunded, seller_earnings, ...row }: SumsRow): CustomerSums {
  return {
    ...row,
    gross: BigInt(gross),
    refunded: BigInt(refunded),
    seller_earnings: BigInt(seller_earnings),
  };
}
