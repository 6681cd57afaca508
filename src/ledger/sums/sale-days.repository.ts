import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../platform/database/bulk.js';
import type { Reader, SqlValue } from '../../platform/database/database.js';
import type { SumKind } from './kept-sums.model.js';

/** Selects days of kept sums: of a vendor's sales, or of an affiliate's. */
export interface SaleDaysCriteria {
  readonly owner: { readonly role: 'vendor' | 'affiliate'; readonly user_id: number };
  readonly start_date: string;
  readonly end_date: string;
  readonly kinds: readonly SumKind[];
  readonly product_ids?: readonly number[];
  readonly affiliate_ids?: readonly number[];
  readonly vendor_id?: number;
}

/**
 * Reads the days on which there are sales from the kept sums, with hand-written SQL, because each
 * page of a filtered list needs them.
 */
@Injectable()
export class SaleDaysRepository {
  /**
   * Returns the first or the last days with transactions of these kinds.
   * @param order `DESC` for the last days, latest first
   */
  async daysWith(
    reader: Reader,
    criteria: SaleDaysCriteria,
    { order, limit }: { readonly order: 'ASC' | 'DESC'; readonly limit: number },
  ): Promise<string[]> {
    const { sql, values } = rowsOf(criteria);
    const rows = await reader.select<{ readonly day: string }>(
      `SELECT DISTINCT day ${sql} ORDER BY day ${order} LIMIT ?`,
      [...values, limit],
    );
    return rows.map(({ day }) => day);
  }

  /** Returns the number of transactions that the kinds count. */
  async count(reader: Reader, criteria: SaleDaysCriteria): Promise<number> {
    const { sql, values } = rowsOf(criteria);
    const [row] = await reader.select<{ readonly count: number | null }>(
      `SELECT CAST(SUM(transactions) AS SIGNED) AS count ${sql}`,
      values,
    );
    return row?.count ?? 0;
  }
}

/** Returns FROM and WHERE for the rows of a table by day. */
function rowsOf(criteria: SaleDaysCriteria): { sql: string; values: SqlValue[] } {
  const { owner, kinds, start_date, end_date } = criteria;
  const { table, conditions, values } = sourceOf(criteria);
  const items = itemsOf(criteria, table === 'vendor_sums' ? 'item_id' : 'product_id');
  const wanted = [...conditions, ...items.map(({ sql }) => sql)].join(' AND ');
  return {
    sql: `FROM ${table} WHERE ${wanted}
      AND kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}) AND day BETWEEN ? AND ?`,
    values: [
      owner.user_id,
      ...values,
      ...items.flatMap((item) => item.values),
      start_date,
      end_date,
    ],
  };
}

function sourceOf({ owner, vendor_id, product_ids, affiliate_ids }: SaleDaysCriteria) {
  if (owner.role === 'affiliate') {
    // The `+` keeps SQLite from using the key of all affiliates of a vendor; MariaDB and MySQL
    // ignore it.
    const conditions = ['affiliate_id = ?', ...(vendor_id === undefined ? [] : ['+vendor_id = ?'])];
    const values = vendor_id === undefined ? [] : [vendor_id];
    return { table: 'affiliate_day_sums', conditions, values };
  }
  if (affiliate_ids !== undefined) {
    const isOfOne = affiliate_ids.length === 1;
    const conditions = [isOfOne ? '+vendor_id = ?' : 'vendor_id = ?'];
    return { table: 'affiliate_day_sums', conditions, values: [] };
  }
  const series = product_ids === undefined ? 'total' : 'product';
  const conditions = ['vendor_id = ?', `series = '${series}'`];
  return { table: 'vendor_sums', conditions, values: [] };
}

function itemsOf({ product_ids, affiliate_ids }: SaleDaysCriteria, product: string) {
  return [
    ...(affiliate_ids === undefined ? [] : [isOneOf('affiliate_id', affiliate_ids)]),
    ...(product_ids === undefined ? [] : [isOneOf(product, product_ids)]),
  ];
}
