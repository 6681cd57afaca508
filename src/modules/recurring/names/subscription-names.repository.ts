import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../../platform/database/bulk.js';
import type { Reader } from '../../../platform/database/database.js';
import { ALL_SCRIPTS, rangeOfSpellings } from '../../../platform/database/entities/spellings.js';
import type { NameColumn, NameSearch, NamesOfSale, TextRange } from '../../transactions/index.js';
import type { RecurringPaymentRow } from '../recurring-payment.entity.js';

/** Columns of a subscription that lists and queries compare. */
const KEY_COLUMNS = [
  'pre_key',
  'status',
  'status_word',
  'product_id',
  'created',
  'next_date',
] as const;

/** A subscription with the names in its newest payment. */
export type NamedKey = Pick<RecurringPaymentRow, (typeof KEY_COLUMNS)[number]> & NamesOfSale;

/** A range of an index of names. */
export interface SpelledNames extends NameSearch, TextRange {}

/** Sales in a range of names: how many were read, and how many of them have the other name, too. */
export interface NameCount {
  readonly entries: number;
  readonly sales: number;
}

const OTHER: Readonly<Record<NameColumn, NameColumn>> = {
  first_name: 'last_name',
  last_name: 'first_name',
};

/** Index and condition of the sales in a range of names. */
function salesBy(column: NameColumn): string {
  return `transactions /*! FORCE INDEX (transactions_by_${column}) */
    WHERE vendor_id = ? AND customer_${column} >= ? AND customer_${column} < ?`;
}

function isOther(column: NameColumn): string {
  return `customer_${OTHER[column]} >= ? AND customer_${OTHER[column]} < ?`;
}

/** Selects subscriptions with the names in their newest payment; one without payments has none. */
const NAMED = `SELECT ${KEY_COLUMNS.map((column) => `r.${column}`).join(', ')},
    t.customer_first_name, t.customer_last_name
  FROM recurring_payments r JOIN transactions t ON t.vendor_id = r.vendor_id AND t.arrival = (
    SELECT n.arrival FROM transactions n /*! FORCE INDEX (transactions_by_agreement) */
      WHERE n.vendor_id = r.vendor_id AND n.pre_key = r.pre_key
      ORDER BY n.sale_date DESC, n.arrival DESC LIMIT 1)`;

/**
 * Finds a vendor's subscriptions by the names in their payments, with hand-written SQL: names are
 * read from their indexes, and the newest payment of a subscription from the index of its payments.
 */
@Injectable()
export class SubscriptionNamesRepository {
  /** Returns the first name in a range, or null if there is none. */
  async firstName(
    reader: Reader,
    vendor_id: number,
    column: NameColumn,
    { from, until }: TextRange,
  ): Promise<string | null> {
    const [row] = await reader.select<{ readonly name: string }>(
      `SELECT customer_${column} AS name FROM ${salesBy(column)} ORDER BY customer_${column} LIMIT 1`,
      [vendor_id, from, until],
    );
    return row?.name ?? null;
  }

  /** Counts the sales in a range; it reads at most `most` entries of the index. */
  async count(
    reader: Reader,
    vendor_id: number,
    { column, other, from, until }: SpelledNames,
    most: number,
  ): Promise<NameCount> {
    const others = rangeOfSpellings(other, ALL_SCRIPTS);
    const [row] = await reader.select<NameCount>(
      `SELECT COUNT(*) AS entries, COUNT(has_other) AS sales FROM (
        SELECT CASE WHEN ${isOther(column)} THEN 1 END AS has_other
          FROM ${salesBy(column)} LIMIT ?) found`,
      [others.from, others.until, vendor_id, from, until, most],
    );
    return row ?? { entries: 0, sales: 0 };
  }

  /** Returns the keys in the sales of a range, each once; those of at most `most` sales. */
  async preKeys(
    reader: Reader,
    vendor_id: number,
    { column, other, from, until }: SpelledNames,
    most: number,
  ): Promise<ReadonlySet<string>> {
    const others = rangeOfSpellings(other, ALL_SCRIPTS);
    const rows = await reader.select<{ readonly pre_key: string | null }>(
      `SELECT pre_key FROM ${salesBy(column)} AND ${isOther(column)} LIMIT ?`,
      [vendor_id, from, until, others.from, others.until, most],
    );
    return new Set(rows.flatMap(({ pre_key }) => pre_key ?? []));
  }

  /** Returns those of these subscriptions that belong to the vendor and have a payment. */
  named(reader: Reader, vendor_id: number, pre_keys: readonly string[]): Promise<NamedKey[]> {
    return selectByKeys<NamedKey>(reader, NAMED, ['r.pre_key'], pre_keys, 'AND r.vendor_id = ?', [
      vendor_id,
    ]);
  }
}
