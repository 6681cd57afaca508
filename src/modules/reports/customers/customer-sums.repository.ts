import { Injectable } from '@nestjs/common';
import { keysetOf } from '../../../ledger/reads/keyset.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';
import { IS_REFUND } from '../../../ledger/sums/kept-sums.model.js';
import type { Reader, SqlValue } from '../../../platform/database/database.js';
import { emailLookups, type EmailLookup } from '../../../platform/database/entities/spellings.js';
import { addedSums, type CustomerSums, NO_SUMS } from './customer.model.js';

/** Limits the sales that one statement adds up, so that no statement blocks others for long. */
@Injectable()
export class CustomerSlices {
  readonly size: number = 10_000;
}

type Place = Pick<StoredTransaction, 'sale_date' | 'arrival'>;
const BEGINNING: Place = { sale_date: '1000-01-01 00:00:00', arrival: -1 };

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

/**
 * Adds up the sales of one customer with hand-written SQL. Each statement reads a slice of a range
 * of the index of the customer's e-mail address.
 */
@Injectable()
export class CustomerSumsRepository {
  constructor(private readonly slice: CustomerSlices) {}

  /** Returns the sums of the sales with this e-mail address, however they spell it. */
  async sumsOf(reader: Reader, vendor_id: number, email: string): Promise<CustomerSums> {
    let total = NO_SUMS;
    for (const lookup of emailLookups(['customer_email'], { vendor_id, email })) {
      for await (const sums of this.slices(reader, lookup)) total = addedSums(total, sums);
    }
    return total;
  }

  private async *slices(reader: Reader, { sql, values: where }: EmailLookup) {
    const slices = { table: 'transactions', where: sql, order: ORDER, direction: 'ASC' } as const;
    const places = keysetOf({ ...slices, selected: ORDER.join(', ') });
    const summed = keysetOf({ ...slices, selected: SUMMED });
    for (let place: Place | undefined = BEGINNING; place !== undefined;) {
      const position = [place.sale_date, place.arrival];
      const values: readonly SqlValue[] = summed.values({ where, position, take: this.slice.size });
      const rows = await reader.select<SumsRow>(
        `SELECT ${SUMS} FROM (${summed.sql}) slice`,
        values,
      );
      yield* rows.map(sumsIn);
      [place] = await reader.select<Place>(
        `SELECT ${ORDER.join(', ')} FROM (${places.sql}) slice ORDER BY ${LAST} LIMIT 1`,
        values,
      );
    }
  }
}

function sumsIn({ gross, refunded, seller_earnings, ...row }: SumsRow): CustomerSums {
  return {
    ...row,
    gross: BigInt(gross),
    refunded: BigInt(refunded),
    seller_earnings: BigInt(seller_earnings),
  };
}
