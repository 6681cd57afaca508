import { Injectable } from '@nestjs/common';
import { keysetOf } from '../../../ledger/reads/keyset.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';
import { IS_REFUND } from '../../../ledger/sums/kept-sums.model.js';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { Reader } from '../../../platform/database/database.js';
import type { EmailLookup } from '../../../platform/database/entities/spellings.js';
import { addedSums, type CustomerSums, NO_SUMS } from './customer.model.js';

/** Limits the sales that one statement adds up, so that no statement blocks others for long. */
@Injectable()
export class CustomerSlices {
  readonly size: number = 10_000;
}

type Place = Pick<StoredTransaction, 'sale_date' | 'arrival'>;
const BEGINNING: Place = { sale_date: '1000-01-01 00:00:00', arrival: -1 };

interface EmailRow {
  readonly email: string;
}

/** The sums are text, because they may exceed the integers that a number represents exactly. */
interface SumsRow extends Pick<
  CustomerSums,
  'transactions' | 'sales' | 'first_sale_date' | 'last_sale_date'
> {
  readonly gross: string;
  readonly refunded: string;
  readonly seller_earnings: string;
}

const ORDER = ['sale_date', 'arrival'] as const;
const LAST = ORDER.map((column) => `${column} DESC`).join(', ');
const IS_SALE = "status <> 'pending'";
const AMOUNTS = {
  gross: [IS_SALE, 'amount'],
  refunded: [IS_REFUND, 'COALESCE(refund_amount, 0)'],
  seller_earnings: [IS_SALE, 'seller_earnings + COALESCE(seller_refund_impact, 0)'],
} as const;
const SUMS = [
  'CAST(COUNT(*) AS SIGNED) AS transactions',
  `CAST(COUNT(CASE WHEN ${IS_SALE} THEN 1 END) AS SIGNED) AS sales`,
  `MIN(CASE WHEN ${IS_SALE} THEN sale_date END) AS first_sale_date`,
  `MAX(CASE WHEN ${IS_SALE} THEN sale_date END) AS last_sale_date`,
  ...Object.entries(AMOUNTS).map(
    ([name, [condition, cents]]) =>
      `CAST(COALESCE(SUM(CASE WHEN ${condition} THEN ${cents} ELSE 0 END), 0) AS CHAR) AS ${name}`,
  ),
].join(', ');
const SUMMED =
  'sale_date, arrival, status, refund_date, amount, refund_amount, seller_earnings, seller_refund_impact';

/** Columns that find the sales of a customer, each with its index. */
const SPELLINGS = [
  { column: 'customer_email', index: 'transactions_by_customer' },
  { column: 'customer_email_folded', index: 'transactions_by_customer_email_folded' },
] as const;
type Spelling = (typeof SPELLINGS)[number];

/**
 * Adds up the sales of customers with hand-written SQL. Each statement reads a slice of ranges of
 * the index of the e-mail addresses.
 */
@Injectable()
export class CustomerSumsRepository {
  constructor(private readonly slice: CustomerSlices) {}

  /**
   * Returns the sums of the sales with each of these e-mail addresses, however they spell it.
   * Addresses without sales are left out.
   *
   * @param emails in the form in which they are compared
   */
  async sumsOf(
    reader: Reader,
    vendor_id: number,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, CustomerSums>> {
    const totals = new Map<string, CustomerSums>();
    for (const spelling of SPELLINGS) {
      for await (const { email, sums } of this.sumsBy(reader, spelling, vendor_id, emails)) {
        totals.set(email, addedSums(totals.get(email) ?? NO_SUMS, sums));
      }
    }
    return totals;
  }

  private async *sumsBy(
    reader: Reader,
    spelling: Spelling,
    vendor_id: number,
    emails: readonly string[],
  ) {
    const { column } = spelling;
    for (const left = new Set(emails); left.size > 0;) {
      const isAsked = isOneOf(column, [...left]);
      const rows = await reader.select<SumsRow & EmailRow>(sumsByEmail(spelling, isAsked.sql), [
        vendor_id,
        ...isAsked.values,
        this.slice.size,
      ]);
      for (const { email, ...row } of rows) {
        yield { email, sums: sumsIn(row) };
        left.delete(email);
      }
      const count = rows.reduce((sum, { transactions }) => sum + transactions, 0);
      const last = rows.at(-1);
      if (count < this.slice.size || last === undefined) return;
      const lookup = { sql: `vendor_id = ? AND ${column} = ?`, values: [vendor_id, last.email] };
      for await (const sums of this.slicesAfter(reader, lookup, last.transactions)) {
        yield { email: last.email, sums };
      }
    }
  }

  /** Yields the sums of the sales of one customer that follow those that have been added up. */
  private async *slicesAfter(reader: Reader, lookup: EmailLookup, added: number) {
    const summed = keysetOf({ ...rangeOf(lookup), selected: SUMMED });
    let place = await this.placeAfter(reader, lookup, BEGINNING, added);
    while (place !== undefined) {
      const values = summed.values(valuesAfter(lookup, place, this.slice.size));
      const sql = `SELECT ${SUMS} FROM (${summed.sql}) slice`;
      const rows = await reader.select<SumsRow>(sql, values);
      yield* rows.map(sumsIn);
      const isFull = rows.some(({ transactions }) => transactions === this.slice.size);
      place = isFull ? await this.placeAfter(reader, lookup, place, this.slice.size) : undefined;
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

/**
 * Returns a statement that adds up the first sales in the order of the e-mail addresses, so that
 * only the sums of the last address can lack some. Without the hint, MariaDB would rather read and
 * sort all sales of a vendor, if they have few customers.
 */
function sumsByEmail({ column, index }: Spelling, condition: string): string {
  return `SELECT ${column} AS email, ${SUMS} FROM (
      SELECT ${column}, ${SUMMED} FROM transactions /*! FORCE INDEX (${index}) */
        WHERE vendor_id = ? AND ${condition} ORDER BY ${column}, ${ORDER.join(', ')} LIMIT ?
    ) slice GROUP BY ${column} ORDER BY ${column}`;
}

function rangeOf({ sql }: EmailLookup) {
  return { table: 'transactions', where: sql, order: ORDER, direction: 'ASC' } as const;
}

function valuesAfter({ values }: EmailLookup, { sale_date, arrival }: Place, take: number) {
  return { where: values, position: [sale_date, arrival], take };
}

function sumsIn({ gross, refunded, seller_earnings, ...row }: SumsRow): CustomerSums {
  return {
    ...row,
    gross: BigInt(gross),
    refunded: BigInt(refunded),
    seller_earnings: BigInt(seller_earnings),
  };
}
