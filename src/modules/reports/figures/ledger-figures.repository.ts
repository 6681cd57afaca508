import { Injectable } from '@nestjs/common';
import { occasionsOf, type SumKind } from '../../../ledger/sums/kept-sums.model.js';
import { MONEY_OF_LEDGER, type MoneySum } from '../../../ledger/sums/report-sums.js';
import type { TransactionRecord } from '../../../ledger/records/transaction.record.js';
import { keysetOf, rangesBetween, type DatedPlace } from '../../../ledger/reads/keyset.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { DayRange } from '../report.model.js';
import { isValueField, type FigureScope } from './figure.model.js';
import { bucketColumns, grouped, type FigureColumns } from '../sums/figures.repository.js';
import type { FigureRow } from './figure-row.model.js';

/** Sums of transactions with the same status, with or without a refund date. */
interface StatusRow extends Readonly<Record<string, SqlValue>> {
  readonly item: string | number | null;
  readonly bucket: string;
  readonly status: TransactionRecord['status'];
  readonly is_dated: number;
  readonly transactions: number;
}

/** Selects transactions by the day of the sale, or by the day of the refund. */
interface Reading {
  readonly vendor_id: number;
  readonly date: 'sale_date' | 'refund_date';
  /** An index by vendor, this column and arrival is read. */
  readonly index: string;
  readonly column: 'sale_date' | 'refunded_sale_date';
  /** First and last second of the column. */
  readonly seconds: DayRange;
  /** Further condition, which begins with AND. */
  readonly also: string;
  readonly values: readonly SqlValue[];
}

/** A part of what is read. */
interface Slice {
  readonly after: DatedPlace;
  readonly to: DatedPlace;
}

/**
 * Adds up the sales of a vendor for groups and filters without kept sums, with hand-written SQL,
 * because up to FigureBounds.sales of them are read.
 */
@Injectable()
export class LedgerFiguresRepository {
  constructor(private readonly database: Database) {}

  /** Returns the number of transactions that `rows` reads, from kept counts. */
  async count(
    reader: Reader,
    { viewer, attribution }: FigureScope,
    range: DayRange,
  ): Promise<number> {
    const { start_date, end_date } = range;
    const [row] = await reader.select<{ readonly sales: number | null }>(
      `SELECT CAST(SUM(sales) AS SIGNED) AS sales FROM sale_counts
        WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?`,
      [viewer.user_id, start_date, end_date],
    );
    const sales = row?.sales ?? 0;
    if (attribution === 'sale') return sales;
    return sales + (await this.refundedDays(reader, viewer.user_id, range)).refunds;
  }

  /**
   * Returns the sums of the kinds that the columns name.
   * @param size number of transactions that one statement reads, so that none takes too long
   */
  async rows(
    reader: Reader,
    scope: FigureScope,
    range: DayRange,
    columns: FigureColumns,
    size: number,
  ): Promise<FigureRow[]> {
    const vendor_id = scope.viewer.user_id;
    const seconds = secondsOf(range);
    const sold = await this.read(reader, scope, columns, size, {
      vendor_id,
      date: 'sale_date',
      index: 'transactions_by_sale',
      column: 'sale_date',
      seconds,
      also: '',
      values: [],
    });
    if (scope.attribution === 'sale') return sold;
    const { first, last } = await this.refundedDays(reader, vendor_id, range);
    if (first === null || last === null) return sold;
    const ofSales = secondsOf({ start_date: first, end_date: last });
    const returned = await this.read(reader, scope, columns, size, {
      vendor_id,
      date: 'refund_date',
      index: 'transactions_by_refunded_sale',
      column: 'refunded_sale_date',
      seconds: ofSales,
      also: ' AND sale_date BETWEEN ? AND ? AND refund_date BETWEEN ? AND ?',
      values: [ofSales, seconds].flatMap(({ start_date, end_date }) => [start_date, end_date]),
    });
    return [...sold, ...returned];
  }

  /** Returns the number of refunds in a range, and the first and the last day of their sales. */
  private async refundedDays(reader: Reader, vendor_id: number, range: DayRange) {
    const [row] = await reader.select<{
      readonly refunds: number | null;
      readonly first: string | null;
      readonly last: string | null;
    }>(
      `SELECT CAST(SUM(refunds) AS SIGNED) AS refunds, MIN(sale_day) AS first, MAX(sale_day) AS last
        FROM refund_counts WHERE vendor_id = ? AND refund_day BETWEEN ? AND ?`,
      [vendor_id, range.start_date, range.end_date],
    );
    const { refunds = null, first = null, last = null } = row ?? {};
    return { refunds: refunds ?? 0, first, last };
  }

  private async read(
    reader: Reader,
    scope: FigureScope,
    columns: FigureColumns,
    size: number,
    reading: Reading,
  ): Promise<FigureRow[]> {
    const rows: FigureRow[] = [];
    for (const slice of await slicesOf(reader, reading, size)) {
      const found = await this.readSlice(reader, scope, columns, reading, slice);
      rows.push(...found.flatMap((row) => rowsOf(row, reading.date, columns)));
    }
    return rows;
  }

  private readSlice(
    reader: Reader,
    scope: FigureScope,
    { money, bucket }: FigureColumns,
    { vendor_id, date, index, column, also, values }: Reading,
    { after, to }: Slice,
  ): Promise<readonly StatusRow[]> {
    const group = groupColumn(scope);
    const { shown, key } = bucketColumns(this.database, `DATE(${date})`, bucket);
    const filter = conditionsOf(scope);
    const sums = money.flatMap((sum) => [
      `CAST(SUM(${MONEY_OF_LEDGER.sold[sum]}) AS CHAR) AS sold_${sum}`,
      `CAST(SUM(${MONEY_OF_LEDGER.returned[sum]}) AS CHAR) AS returned_${sum}`,
    ]);
    const isDated = 'CASE WHEN refund_date IS NULL THEN 0 ELSE 1 END';
    const ranges = rangesBetween(column, after, to);
    const parts = ranges.map(
      ({ condition }) => `SELECT ${group ?? 'NULL'} AS item, ${shown} AS bucket, status,
          ${isDated} AS is_dated, ${['CAST(COUNT(*) AS SIGNED) AS transactions', ...sums].join(', ')}
        FROM transactions /*! FORCE INDEX (${index}) */
        WHERE ${['vendor_id = ?', condition, ...filter.conditions].join(' AND ')}${also}
        ${grouped([key, group, 'status', isDated])}`,
    );
    return reader.select<StatusRow>(
      parts.join(' UNION ALL '),
      ranges.flatMap((range) => [vendor_id, ...range.values, ...filter.values, ...values]),
    );
  }
}

/** Divides what is read, in the order of its index. The last slice may have no transactions. */
async function slicesOf(
  reader: Reader,
  { vendor_id, index, column, seconds }: Reading,
  size: number,
): Promise<Slice[]> {
  const places = keysetOf({
    selected: `${column}, arrival`,
    table: `transactions /*! FORCE INDEX (${index}) */`,
    where: 'vendor_id = ?',
    also: ` AND ${column} <= ?`,
    order: [column, 'arrival'],
    direction: 'ASC',
  });
  const sql = `SELECT ${column} AS date, arrival FROM (${places.union}) places
    ORDER BY ${column}, arrival LIMIT 1 OFFSET ${size - 1}`;
  const end = { date: seconds.end_date, arrival: Number.MAX_SAFE_INTEGER };
  const slices: Slice[] = [];
  let after: DatedPlace = { date: seconds.start_date, arrival: 0 };
  let place: DatedPlace | undefined;
  do {
    const position = [after.date, after.arrival];
    const also = [seconds.end_date];
    const values = places.valuesOfUnion({ where: [vendor_id], position, also, take: size });
    [place] = await reader.select<DatedPlace>(sql, values);
    slices.push({ after, to: place ?? end });
    after = place ?? end;
  } while (place !== undefined);
  return slices;
}

function secondsOf({ start_date, end_date }: DayRange): DayRange {
  return { start_date: startOfDay(start_date), end_date: endOfDay(end_date) };
}

/** Returns the sums of each kind under which the transactions of a row count. */
function rowsOf(
  row: StatusRow,
  date: Reading['date'],
  { kinds, money }: FigureColumns,
): FigureRow[] {
  const { item, bucket, status, is_dated, transactions } = row;
  const dates = { sale_date: bucket, refund_date: is_dated === 0 ? null : bucket };
  return occasionsOf({ status, ...dates }).flatMap(({ kind, money: which }) => {
    if (!kinds.includes(kind) || isByRefund(kind) !== (date === 'refund_date')) return [];
    const sums: Partial<Record<MoneySum, string>> = {};
    for (const sum of which === 'none' ? [] : money) {
      if (which === 'pending' && sum !== 'amount') continue;
      const value = row[`${which === 'returned' ? 'returned' : 'sold'}_${sum}`];
      if (typeof value === 'string') sums[sum] = value;
    }
    return [{ ...sums, item, bucket, kind, transactions }];
  });
}

function isByRefund(kind: SumKind): boolean {
  return kind.endsWith('_by_refund');
}

/** An empty text counts as no value of a tracked field. */
function groupColumn({ group }: FigureScope): string | null {
  if (group === null) return null;
  return isValueField(group) ? `NULLIF(${group}, '')` : `${group}_id`;
}

function conditionsOf({ filter: { product_id, affiliate_id, tracked } }: FigureScope) {
  const ids = Object.entries({ product_id, affiliate_id }).flatMap(([column, id]) =>
    id === undefined ? [] : [{ condition: `${column} = ?`, value: id }],
  );
  const all: { condition: string; value: SqlValue }[] = [...ids];
  if (tracked !== undefined) {
    all.push({ condition: `${tracked.field} = ?`, value: tracked.value });
  }
  return {
    conditions: all.map(({ condition }) => condition),
    values: all.map(({ value }) => value),
  };
}
