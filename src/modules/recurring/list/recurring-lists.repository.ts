import { Injectable } from '@nestjs/common';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { rangesAfter, unionOf, type KeysetRange } from '../../../ledger/reads/keyset.js';
import { columnsOfEntity } from '../../../platform/database/entities/entity-rows.js';
import { emailLookups } from '../../../platform/database/entities/spellings.js';
import {
  EMAIL_COLUMNS,
  RecurringPaymentEntity,
  type RecurringPaymentRow,
  paymentOf,
} from '../recurring-payment.entity.js';
import {
  RECURRING_STATUSES,
  type RecurringStatus,
} from '../../../ledger/records/recurring-status.js';
import type { RecurringPayment } from '../recurring-payment.model.js';
import {
  EARLIEST,
  STATUS_OF_LIST,
  type Due,
  type DueOnDay,
  type DueTimes,
  type ListPage,
  type RecurringCursor,
  type RecurringList,
} from './recurring-list.model.js';

const OWNER = 'vendor_id = ? AND status = ?';
const COLUMNS = columnsOfEntity(RecurringPaymentEntity).join(', ');
/** Columns that place a subscription in a list, and those that a filter compares. */
const KEY_COLUMNS = ['pre_key', 'next_date', 'created', 'status', 'product_id'] as const;
const OF_PRODUCT = `${OWNER} AND product_id = ?`;
/** Contains what a filter of a list compares. */
export type ListedKey = Pick<RecurringPaymentRow, (typeof KEY_COLUMNS)[number]>;

interface SumRow {
  readonly agreements: number | null;
  /** Text, because the sum may exceed the integers that a number represents exactly. */
  readonly amount: string | null;
}

/**
 * Reads the lists of a vendor's subscriptions. The SQL is hand-written, so that a page reads only
 * as many index entries as it shows.
 */
@Injectable()
export class RecurringListsRepository {
  constructor(private readonly database: Database) {}

  /** Returns at most `take` subscriptions after or before the cursor, in the order of the list. */
  async page(vendor_id: number, page: ListPage, take: number): Promise<RecurringPayment[]> {
    const { sql, values } = pageStatement(COLUMNS, vendor_id, page, take);
    const rows = await this.database.select<RecurringPaymentRow>(sql, values);
    const payments = rows.map(paymentOf);
    return page.cursor?.direction === 'before' ? payments.reverse() : payments;
  }

  /** Returns what filters compare of the subscriptions that `page` returns. */
  keys(vendor_id: number, page: ListPage, take: number): Promise<ListedKey[]> {
    const { sql, values } = pageStatement(KEY_COLUMNS.join(', '), vendor_id, page, take);
    return this.database.select<ListedKey>(sql, values);
  }

  /**
   * Counts the subscriptions on all pages of a list, from its index.
   * @returns null if there are more than `most`
   */
  async count(vendor_id: number, page: ListPage, most: number): Promise<number | null> {
    const first = { ...page, cursor: null };
    const { sql, values } = unionOfParts('1 AS one', vendor_id, first, most + 1);
    const [row] = await this.database.select<{ readonly subscriptions: number }>(
      `SELECT COUNT(*) AS subscriptions FROM (${sql}) found`,
      values,
    );
    const count = row?.subscriptions ?? 0;
    return count > most ? null : count;
  }

  /**
   * Returns what filters compare of the subscriptions of a list with an e-mail address: at most
   * `take` with each address in each column.
   */
  keysOfEmail(
    vendor_id: number,
    list: RecurringList,
    email: string,
    take: number,
  ): Promise<ListedKey[]> {
    const lookups = emailLookups(EMAIL_COLUMNS, { vendor_id, email });
    const parts = lookups.map(
      ({ sql }, at) =>
        `SELECT * FROM (SELECT ${KEY_COLUMNS.join(', ')} FROM recurring_payments
          WHERE ${sql} AND status = ? LIMIT ?) range_${at}`,
    );
    return this.database.select<ListedKey>(
      parts.join(' UNION ALL '),
      lookups.flatMap(({ values }) => [...values, STATUS_OF_LIST[list], take]),
    );
  }

  /** Returns the number of subscriptions by status. Statuses without any are left out. */
  async counts(
    vendor_id: number,
    reader: Reader = this.database,
  ): Promise<ReadonlyMap<RecurringStatus, number>> {
    const rows = await reader.select<{
      readonly status: RecurringStatus;
      readonly agreements: number;
    }>(
      `SELECT status, CAST(SUM(agreements) AS SIGNED) AS agreements FROM recurring_sums
        WHERE vendor_id = ? GROUP BY status`,
      [vendor_id],
    );
    return new Map(rows.map(({ status, agreements }) => [status, agreements]));
  }

  /** Returns how many subscriptions were created at a time or later; it counts at most `most`. */
  async createdSince(
    vendor_id: number,
    time: string,
    most: number,
    reader: Reader = this.database,
  ): Promise<number> {
    const parts = RECURRING_STATUSES.map(
      (_, at) =>
        `SELECT * FROM (SELECT 1 AS one FROM recurring_payments
          WHERE ${OWNER} AND created >= ? LIMIT ?) range_${at}`,
    );
    const [row] = await reader.select<{ readonly created: number }>(
      `SELECT COUNT(*) AS created FROM (${parts.join(' UNION ALL ')}) found`,
      RECURRING_STATUSES.flatMap((status) => [vendor_id, status, time, most]),
    );
    return Math.min(row?.created ?? 0, most);
  }

  /**
   * Returns the due payments of active subscriptions by day, from `first` to `last`, both included.
   */
  async dueBetween(
    vendor_id: number,
    first: string,
    last: string,
    reader: Reader = this.database,
  ): Promise<DueOnDay[]> {
    const rows = await reader.select<SumRow & Pick<DueOnDay, 'day'>>(
      `SELECT day, agreements, CAST(amount AS CHAR) AS amount FROM recurring_sums
        WHERE vendor_id = ? AND status = 'ACTIVE' AND day BETWEEN ? AND ? ORDER BY day`,
      [vendor_id, first, last],
    );
    return rows.map(({ day, ...row }) => ({ day, ...dueOf(row) }));
  }

  /** Returns the total of the active subscriptions whose next payment lies before a day. */
  async dueBefore(vendor_id: number, day: string, reader: Reader = this.database): Promise<Due> {
    const [row] = await reader.select<SumRow>(
      `SELECT CAST(SUM(agreements) AS SIGNED) AS agreements, CAST(SUM(amount) AS CHAR) AS amount
        FROM recurring_sums WHERE vendor_id = ? AND status = 'ACTIVE' AND day < ?`,
      [vendor_id, day],
    );
    return dueOf(row);
  }
}

/** Describes a range of the index of a list, with the values of its condition. */
interface Part extends KeysetRange {
  readonly values: readonly SqlValue[];
}

interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

function pageStatement(
  columns: string,
  vendor_id: number,
  page: ListPage,
  take: number,
): Statement {
  const column = columnOf(page.list);
  const order = orderOf(page);
  const { sql, values } = unionOfParts(columns, vendor_id, page, take);
  return {
    sql: `SELECT * FROM (${sql}) page
      ORDER BY ${column} IS NULL ${order}, ${column} ${order}, pre_key ${order} LIMIT ?`,
    values: [...values, take],
  };
}

/** Active subscriptions are listed by date, the others newest first. */
function orderOf({ list, cursor }: ListPage): 'ASC' | 'DESC' {
  return (list === 'active') === (cursor?.direction !== 'before') ? 'ASC' : 'DESC';
}

/** Selects up to `take` subscriptions of each range of the list's index. */
function unionOfParts(columns: string, vendor_id: number, page: ListPage, take: number): Statement {
  const { list, cursor, due, product_id } = page;
  const parts = dueParts(partsOf(list, cursor, orderOf(page)), due);
  const owner = [vendor_id, STATUS_OF_LIST[list], ...(product_id === null ? [] : [product_id])];
  const condition = product_id === null ? OWNER : OF_PRODUCT;
  const index = `recurring_payments_by_product_${columnOf(list)}`;
  const hint = product_id === null ? '' : ` /*! FORCE INDEX (${index}) */`;
  const sql = unionOf(
    `SELECT ${columns} FROM recurring_payments${hint}`,
    parts.map((part) => ({ ...part, condition: `${condition} AND ${part.condition}` })),
  );
  return { sql, values: parts.flatMap(({ values }) => [...owner, ...values, take]) };
}

/** Returns the column that sorts a list. */
function columnOf(list: RecurringList) {
  return list === 'active' ? 'next_date' : 'created';
}

/**
 * Returns the ranges beyond a cursor: the rest of its second, other dates, and the entries without
 * a date, which come last. Only active subscriptions are sorted by a date that may be unknown.
 */
function partsOf(
  list: RecurringList,
  cursor: RecurringCursor | null,
  order: 'ASC' | 'DESC',
): Part[] {
  const column = columnOf(list);
  const both = `${column} ${order}, pre_key ${order}`;
  const hasUndated = column === 'next_date';
  const undated = { condition: `${column} IS NULL`, order: both, values: [] };
  // SQLite would read all entries without a date for IS NOT NULL.
  const values = [EARLIEST];
  const dated = { condition: `${column} >= ?`, order: both, values };
  if (cursor === null) return hasUndated ? [dated, undated] : [dated];
  const { at, pre_key, direction } = cursor;
  const isForwards = direction === 'after';
  if (at === null) {
    const beyond = order === 'ASC' ? '>' : '<';
    const condition = `${undated.condition} AND pre_key ${beyond} ?`;
    const same = { condition, order: both, values: [pre_key] };
    return isForwards ? [same] : [same, dated];
  }
  const parts = rangesAfter([column, 'pre_key'], order).map((range, index) => {
    return { ...range, values: index === 0 ? [at, pre_key] : [at] };
  });
  return hasUndated && isForwards ? [...parts, undated] : parts;
}

/** Narrows ranges to the payments that are due at a time. */
function dueParts(parts: readonly Part[], due: DueTimes | null): readonly Part[] {
  if (due === null) return parts;
  return parts.map((part) => ({
    ...part,
    condition: `${part.condition} AND next_date >= ? AND next_date < ?`,
    values: [...part.values, due.from, due.until],
  }));
}

function dueOf(row: SumRow | undefined): Due {
  return { agreements: row?.agreements ?? 0, amount: BigInt(row?.amount ?? 0) };
}
