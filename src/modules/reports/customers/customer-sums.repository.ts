import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { Reader } from '../../../platform/database/database.js';
import {
  CustomerSlices,
  CustomerSlicesRepository,
  ORDER,
  SUMMED,
  SUMS,
  sumsIn,
  type SumsRow,
} from './customer-slices.repository.js';
import { addedSums, type CustomerSums, NO_SUMS } from './customer.model.js';

interface EmailRow extends SumsRow {
  readonly email: string;
}

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
  constructor(
    private readonly slice: CustomerSlices,
    private readonly slices: CustomerSlicesRepository,
  ) {}

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
    const left = new Set(emails);
    let isFull: boolean;
    do {
      const isAsked = isOneOf(column, [...left]);
      const rows = await reader.select<EmailRow>(sumsByEmail(spelling, isAsked.sql), [
        vendor_id,
        ...isAsked.values,
        this.slice.size,
      ]);
      for (const { email, ...row } of rows) {
        yield { email, sums: sumsIn(row) };
        left.delete(email);
      }
      isFull = rows.reduce((sum, { transactions }) => sum + transactions, 0) === this.slice.size;
      yield* this.slices.after(
        reader,
        { column, vendor_id },
        rows.slice(isFull ? -1 : rows.length),
      );
    } while (left.size > 0 && isFull);
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
