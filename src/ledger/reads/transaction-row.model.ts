import type { Reader } from '../../platform/database/database.js';
import { columnsOf } from '../../platform/database/named-rows.js';
import { SEEN_PAGE_NAME, seenColumn } from './seen-user.model.js';
import { LISTED_COLUMNS, type LedgerPosition } from './transaction.model.js';

/** Selects the revision together with the rows, so that both come from one snapshot. */
export const REVISION = '(SELECT revision FROM ledger_revisions WHERE vendor_id = ?) AS revision';

/**
 * Selects the columns of a `Transaction`. The transaction is `t`, and SEEN_AFFILIATE joins its
 * affiliate.
 */
export const SELECTED = `${REVISION}, ${columnsOf('t', LISTED_COLUMNS)},
    ${seenColumn('display_name')} AS affiliate_display_name, ${SEEN_PAGE_NAME} AS affiliate_name`;

/**
 * Returns the condition that joins the whole row to its key. The key is vendor and arrival. With
 * the sale date, a table that is partitioned by month reads only one partition.
 */
export function isRowOf(keys: string): string {
  return `t.vendor_id = ${keys}.vendor_id AND t.arrival = ${keys}.arrival
      AND t.sale_date = ${keys}.sale_date`;
}

/** Returns all vendors with a ledger. */
export async function vendorsWithLedger(reader: Reader): Promise<number[]> {
  const sql = 'SELECT vendor_id FROM ledger_revisions ORDER BY vendor_id';
  const rows = await reader.select<Pick<LedgerPosition, 'vendor_id'>>(sql, []);
  return rows.map(({ vendor_id }) => vendor_id);
}

/**
 * Compares positions for the order newest sale first; ties are sorted by vendor and then by
 * arrival, both descending.
 */
export function byListOrder(left: LedgerPosition, right: LedgerPosition): number {
  if (left.sale_date !== right.sale_date) return left.sale_date < right.sale_date ? 1 : -1;
  return right.vendor_id - left.vendor_id || right.arrival - left.arrival;
}
