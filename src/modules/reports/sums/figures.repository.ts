import { Injectable } from '@nestjs/common';
import type { SumKind } from '../../../ledger/sums/kept-sums.model.js';
import type { MoneySum } from '../../../ledger/sums/report-sums.js';
import { NO_DAY } from '../../../ledger/sums/unpaid-commissions.js';
import { isOneOf } from '../../../platform/database/bulk.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import type { ClickRow, FigureRow } from '../figures/figure-row.model.js';
import type { Bucket } from '../figures/intervals.js';
import type { DayRange, Viewer } from '../report.model.js';
import { allDays, type KeptSource } from './kept-sources.js';
import { listed } from '../../../ledger/sums/sum-parts.js';

/** Selects the clicks of affiliates on links for these products. */
export interface ClickCriteria extends DayRange {
  /** Null for the products of every vendor; then `affiliate_id` is there. */
  readonly product_ids: readonly number[] | null;
  readonly affiliate_id?: number;
  readonly group: 'product' | 'affiliate' | null;
}

/** Reads figures from kept sums with hand-written SQL, because they are read at every request. */
@Injectable()
export class FiguresRepository {
  constructor(private readonly database: Database) {}

  /**
   * Reads the kept sums of these kinds by group and bucket, in one statement. Each kind has its own
   * SELECT where the key begins with the kind, because MariaDB is much slower if it groups by kind
   * as well. Without buckets, the sums of several sources are added up here, because they have the
   * same groups.
   */
  async sums(
    reader: Reader,
    sources: readonly KeptSource[],
    { kinds, money, bucket }: FigureColumns,
  ): Promise<FigureRow[]> {
    const isAddedUp = bucket === 'none' && sources.length > 1;
    const write = isAddedUp ? asNumbers : asRow;
    const parts = sources.flatMap((source) => {
      const columns = write(sumsOf(source, money));
      const each = source.hasAllKinds === true ? [kinds] : kinds.map((kind) => [kind]);
      return each.map((read) => this.sumsOfKinds(source, read, columns, bucket));
    });
    const found = parts.map(({ sql }) => sql).join(' UNION ALL ');
    return reader.select<FigureRow>(
      isAddedUp ? addedUp(found, money) : found,
      parts.flatMap(({ values }) => values),
    );
  }

  /**
   * Returns the items with the highest gross, highest first, of those with a sale. The ranked sums
   * are added as floating-point numbers, which are exact below 2^53 and several times as fast as
   * MariaDB's decimals.
   */
  async topIds(reader: Reader, sources: readonly KeptSource[], limit: number): Promise<number[]> {
    // Only a subtraction can leave an item without a sale.
    const isSubtracted = sources.some(({ span }) => span.sign < 0);
    const sales = isSubtracted ? ([['sales', 'transactions']] as const) : [];
    const { sql, values } = ranked(sources, ['sale'], () => [['gross', 'amount'], ...sales]);
    const rows = await reader.select<{ readonly item: number }>(
      `SELECT item FROM (${sql}) items GROUP BY item
        ${isSubtracted ? 'HAVING SUM(sales) > 0' : ''} ORDER BY SUM(gross) DESC, item LIMIT ?`,
      [...values, limit],
    );
    return rows.map(({ item }) => item);
  }

  /**
   * Returns the items whose sums of added and subtracted sources differ most, largest difference
   * first. Items without a difference are left out.
   */
  async mostChangedIds(
    reader: Reader,
    sources: readonly KeptSource[],
    { sum, kinds }: { readonly sum: MoneySum; readonly kinds: readonly SumKind[] },
    limit: number,
  ): Promise<number[]> {
    const { sql, values } = ranked(sources, kinds, ({ columns }) => [
      ['difference', columns[sum] ?? '0'],
    ]);
    const rows = await reader.select<{ readonly item: number }>(
      `SELECT item FROM (${sql}) items GROUP BY item HAVING SUM(difference) <> 0
        ORDER BY ABS(SUM(difference)) DESC, item LIMIT ?`,
      [...values, limit],
    );
    return rows.map(({ item }) => item);
  }

  /** Returns the first and the last day with a transaction, or null if there are none. */
  async firstAndLastDay(reader: Reader, viewer: Viewer): Promise<DayRange | null> {
    const { table, where, values } = allDays(viewer);
    const [row] = await reader.select<DayRange | Record<keyof DayRange, null>>(
      `SELECT MIN(day) AS start_date, MAX(day) AS end_date FROM ${table} WHERE ${where}`,
      values,
    );
    return row?.start_date ? row : null;
  }

  /** Returns the clicks in a range, for groups with recorded clicks. */
  async clicks(reader: Reader, criteria: ClickCriteria, bucket: Bucket): Promise<ClickRow[]> {
    const { product_ids, affiliate_id, group, start_date, end_date } = criteria;
    if (product_ids?.length === 0) return [];
    const products = product_ids === null ? null : isOneOf('product_id', product_ids);
    const conditions = [
      ...(products === null ? [] : [products.sql]),
      ...(affiliate_id === undefined ? [] : ['affiliate_id = ?']),
      'date BETWEEN ? AND ?',
    ];
    const item = group === null ? null : `${group}_id`;
    const { shown, key } = bucketColumns(this.database, 'date', bucket);
    const rows = await reader.select<Omit<ClickRow, 'group'> & { readonly item: number }>(
      `SELECT ${item ?? '0'} AS item, ${shown} AS bucket, CAST(SUM(clicks) AS SIGNED) AS clicks,
          CAST(SUM(unique_clicks) AS SIGNED) AS unique_clicks
        FROM daily_clicks WHERE ${conditions.join(' AND ')} ${grouped([key, item])}`,
      [
        ...(products?.values ?? []),
        ...(affiliate_id === undefined ? [] : [affiliate_id]),
        start_date,
        end_date,
      ],
    );
    return rows.map(({ item: id, ...row }) => ({ ...row, group: group === null ? null : id }));
  }

  /** Returns the unpaid commissions of a vendor's affiliates, or of one of them, in cents. */
  async unpaidOfVendor(reader: Reader, vendor_id: number, affiliate_id?: number): Promise<bigint> {
    const one = affiliate_id === undefined ? '' : ' AND affiliate_id = ?';
    const [row] = await reader.select<{ readonly unpaid: string | null }>(
      `SELECT CAST(SUM(commission) AS CHAR) AS unpaid FROM unpaid_commissions
        WHERE vendor_id = ? AND series = 'total' AND day = '${NO_DAY}'${one}`,
      [vendor_id, ...(affiliate_id === undefined ? [] : [affiliate_id])],
    );
    return BigInt(row?.unpaid ?? 0);
  }

  /** Returns the unpaid commissions of an affiliate at all vendors, in cents. */
  async unpaidOfAffiliate(reader: Reader, affiliate_id: number): Promise<bigint> {
    const vendors = await reader.select<{ readonly vendor_id: number }>(
      'SELECT DISTINCT vendor_id FROM affiliate_day_sums WHERE affiliate_id = ?',
      [affiliate_id],
    );
    if (vendors.length === 0) return 0n;
    const { sql, values } = isOneOf(
      'vendor_id',
      vendors.map(({ vendor_id }) => vendor_id),
    );
    const [row] = await reader.select<{ readonly unpaid: string | null }>(
      `SELECT CAST(SUM(commission) AS CHAR) AS unpaid FROM unpaid_commissions
        WHERE ${sql} AND series = 'total' AND day = '${NO_DAY}' AND affiliate_id = ?`,
      [...values, affiliate_id],
    );
    return BigInt(row?.unpaid ?? 0);
  }

  private sumsOfKinds(
    { table, where, values, group, span, days }: KeptSource,
    kinds: readonly SumKind[],
    columns: string,
    bucket: Bucket,
  ): { readonly sql: string; readonly values: readonly SqlValue[] } {
    const { shown, key } = bucketColumns(this.database, 'day', bucket);
    const within = days === null ? null : isOneOf('day', days);
    const { column, where: ofKinds, grouped: byKind } = kindsRead(kinds);
    const sql = `SELECT ${column} AS kind, ${group ?? '0'} AS item, ${shown} AS bucket, ${columns}
      FROM ${table} WHERE ${where} AND ${ofKinds}
        AND ${within?.sql ?? 'day BETWEEN ? AND ?'} ${grouped([key, group, byKind])}`;
    const ends = within?.values ?? [span.start_date, span.end_date];
    return { sql, values: [...values, ...ends] };
  }
}

/**
 * Returns SELECTs of the sums of items as floating-point numbers.
 * @param sumsOf returns names of sums with their columns
 */
function ranked(
  sources: readonly KeptSource[],
  kinds: readonly SumKind[],
  sumsOf: (source: KeptSource) => SumExpressions,
) {
  const parts = sources.map((source) => {
    const { table, where, group, span } = source;
    const sign = span.sign < 0 ? '-' : '';
    const sums = sumsOf(source).map(([name, sum]) => `${sign}SUM(${sum} + 0e0) AS ${name}`);
    return `SELECT ${group ?? '0'} AS item, ${sums.join(', ')}
      FROM ${table} WHERE ${where} AND kind IN (${listed(kinds)}) AND day BETWEEN ? AND ?
      GROUP BY ${group ?? '0'}`;
  });
  return {
    sql: parts.join(' UNION ALL '),
    values: sources.flatMap(({ values, span }) => [...values, span.start_date, span.end_date]),
  };
}

/** Writes the kinds of a SELECT: MariaDB is faster if a single one is not in the groups. */
function kindsRead(kinds: readonly SumKind[]) {
  const [kind = '', ...others] = kinds;
  return others.length === 0
    ? { column: `'${kind}'`, where: `kind = '${kind}'`, grouped: null }
    : { column: 'kind', where: `kind IN (${listed(kinds)})`, grouped: 'kind' };
}

/** Sums by the columns that they are read as. */
type SumExpressions = readonly (readonly [column: string, sum: string])[];

function sumsOf({ columns, span }: KeptSource, money: readonly MoneySum[]): SumExpressions {
  const sign = span.sign < 0 ? '-' : '';
  const sums = money.map((sum) => [sum, `${sign}SUM(${columns[sum] ?? '0'})`] as const);
  return [['transactions', `${sign}SUM(transactions)`], ...sums];
}

/** Returns sums with the types of a row. */
function asRow(sums: SumExpressions): string {
  const typed = sums.map(([column, sum]) => {
    return `CAST(${sum} AS ${column === 'transactions' ? 'SIGNED' : 'CHAR'}) AS ${column}`;
  });
  return typed.join(', ');
}

/** Returns sums that another SELECT adds up, which it could not if they were text. */
function asNumbers(sums: SumExpressions): string {
  return sums.map(([column, sum]) => `${sum} AS ${column}`).join(', ');
}

function addedUp(found: string, money: readonly MoneySum[]): string {
  const sums = ['transactions', ...money].map((column) => [column, `SUM(${column})`] as const);
  return `SELECT kind, item, '' AS bucket, ${asRow(sums)}
    FROM (${found}) found GROUP BY item, kind`;
}

/** The kinds, sums and buckets that are read. */
export interface FigureColumns {
  readonly kinds: readonly SumKind[];
  readonly money: readonly MoneySum[];
  readonly bucket: Bucket;
}

/** Reads buckets of days: `shown` is the first day of a bucket that has rows. */
interface BucketColumns {
  readonly shown: string;
  /** Expression to group by; null if there is a single bucket. */
  readonly key: string | null;
}

export function bucketColumns({ dialect }: Database, day: string, bucket: Bucket): BucketColumns {
  if (bucket === 'none') return { shown: "''", key: null };
  const keys = { day, week: dialect.weekKey(day), month: dialect.monthKey(day) };
  // The driver reads text faster than a date.
  return { shown: `CAST(MIN(${day}) AS CHAR)`, key: keys[bucket] };
}

/** Returns the end of a SELECT of sums. Without a group, sums of no rows are left out. */
export function grouped(groups: readonly (string | null)[]): string {
  const columns = groups.filter((column) => column !== null);
  return columns.length === 0 ? 'HAVING COUNT(*) > 0' : `GROUP BY ${columns.join(', ')}`;
}
