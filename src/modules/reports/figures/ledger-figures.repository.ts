import { Injectable } from '@nestjs/common';
import { occasionsOf, type SumKind } from '../../../ledger/sums/kept-sums.model.js';
import { MONEY_OF_LEDGER, type MoneySum } from '../../../ledger/sums/report-sums.js';
import type { TransactionRecord } from '../../../ledger/records/transaction.record.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { DayRange } from '../report.model.js';
import { isTrackedField, type FigureScope } from './figure.model.js';
import type { FigureRow } from './figure-row.model.js';
import { bucketExpression, grouped, type FigureColumns, rowOf } from './figures.repository.js';

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
  readonly date: 'sale_date' | 'refund_date';
  readonly index: string;
  readonly where: string;
  readonly values: readonly SqlValue[];
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

  /** Returns the sums of the kinds that the columns name. */
  async rows(
    reader: Reader,
    scope: FigureScope,
    range: DayRange,
    columns: FigureColumns,
  ): Promise<FigureRow[]> {
    const vendor_id = scope.viewer.user_id;
    const days = [startOfDay(range.start_date), endOfDay(range.end_date)];
    const sold = await this.read(reader, scope, columns, {
      date: 'sale_date',
      index: 'transactions_by_sale',
      where: 'vendor_id = ? AND sale_date BETWEEN ? AND ?',
      values: [vendor_id, ...days],
    });
    if (scope.attribution === 'sale') return sold;
    const { first, last } = await this.refundedDays(reader, vendor_id, range);
    if (first === null || last === null) return sold;
    const saleDays = [startOfDay(first), endOfDay(last)];
    const returned = await this.read(reader, scope, columns, {
      date: 'refund_date',
      index: 'transactions_by_refunded_sale',
      where: `vendor_id = ? AND refunded_sale_date BETWEEN ? AND ? AND sale_date BETWEEN ? AND ?
        AND refund_date BETWEEN ? AND ?`,
      values: [vendor_id, ...saleDays, ...saleDays, ...days],
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
    { date, index, where, values }: Reading,
  ): Promise<FigureRow[]> {
    const { money, bucket } = columns;
    const group = groupColumn(scope);
    const day = bucketExpression(this.database, `DATE(${date})`, bucket);
    const filter = conditionsOf(scope);
    const sums = money.flatMap((sum) => [
      `CAST(SUM(${MONEY_OF_LEDGER.sold[sum]}) AS CHAR) AS sold_${sum}`,
      `CAST(SUM(${MONEY_OF_LEDGER.returned[sum]}) AS CHAR) AS returned_${sum}`,
    ]);
    const isDated = 'CASE WHEN refund_date IS NULL THEN 0 ELSE 1 END';
    const rows = await reader.select<StatusRow>(
      `SELECT ${group ?? 'NULL'} AS item, ${day} AS bucket, status, ${isDated} AS is_dated,
          ${['CAST(COUNT(*) AS SIGNED) AS transactions', ...sums].join(', ')}
        FROM transactions /*! FORCE INDEX (${index}) */ WHERE ${[where, ...filter.conditions].join(' AND ')}
        ${grouped([group, 'status', isDated].filter((part) => part !== null).join(', '), day)}`,
      [...values, ...filter.values],
    );
    return rows.flatMap((row) => rowsOf(row, date, columns));
  }
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
    return [rowOf({ ...sums, bucket, kind, transactions }, item, money)];
  });
}

function isByRefund(kind: SumKind): boolean {
  return kind.endsWith('_by_refund');
}

/** An empty text counts as no value of a tracked field. */
function groupColumn({ group }: FigureScope): string | null {
  if (group === null) return null;
  return isTrackedField(group) ? `NULLIF(${group}, '')` : `${group}_id`;
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
