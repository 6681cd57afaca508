import { IS_SMALL, smallOf } from '../../../ledger/reads/row-sizes.model.js';
import {
  hasCurrentBytes,
  type ListedTransaction,
  type RenderedTransaction,
} from '../../../ledger/reads/rendered-transaction.model.js';
import { SEEN_AFFILIATE, seenColumn } from '../../../ledger/reads/seen-user.model.js';
import { REVISION } from '../../../ledger/reads/transaction-row.model.js';
import type { Reader, SqlValue } from '../../../platform/database/database.js';
import type { PageSlice } from './page-plan.js';
import type { ShownNames, UnnamedTransaction } from './shown-names.js';

interface UnnamedRow extends Omit<UnnamedTransaction, 'rendered'> {
  readonly rendered: RenderedTransaction | null;
}

type NamedRow = UnnamedRow & Pick<ListedTransaction, 'affiliate_display_name'>;

/** Defines a page of sales. */
interface NearPage {
  readonly vendor_id: number;
  /** The parameters of the range, and of the rows that are skipped and taken. */
  readonly values: readonly SqlValue[];
  readonly take: number;
}

/**
 * Selects the rows of a page of sales in the order of the index. It reads skipped rows whole, so it
 * is faster than a page of keys if it skips few rows. The bytes of a row above the number of bytes
 * in the second parameter are null.
 */
function nearRows(selected: string, joined: string): string {
  return `SELECT ${REVISION}, t.arrival, t.affiliate_id,
      CASE WHEN ${IS_SMALL} THEN t.rendered END AS rendered${selected}
    FROM transactions t /*! FORCE INDEX (transactions_by_sale) */ ${joined}
    WHERE t.vendor_id = ? AND t.sale_date BETWEEN ? AND ?
    ORDER BY t.sale_date DESC, t.arrival DESC LIMIT ? OFFSET ?`;
}
const NEAR = nearRows(`, ${seenColumn('display_name')} AS affiliate_display_name`, SEEN_AFFILIATE);
const NEAR_WITHOUT_NAMES = nearRows('', '');
/** Number of skipped rows up to which rows are read in the order of the index. */
const NEAR_ROWS = 64;

/** Returns true if the rows of a slice are read in the order of the index. */
export function isNear({ skip }: PageSlice): boolean {
  return skip <= NEAR_ROWS;
}

/**
 * Reads the stored bytes of a page of sales that skips few rows.
 * @returns null if a row is larger than `smallOf` or has none of the current form
 */
export async function nearRowsOf(
  reader: Reader,
  { vendor_id, values, take }: NearPage,
  names: ShownNames | null,
): Promise<readonly ListedTransaction[] | null> {
  const all = [vendor_id, smallOf(take), ...values];
  if (names?.areKnown === true) {
    const rows = await reader.select<UnnamedRow>(NEAR_WITHOUT_NAMES, all);
    if (!rows.every(hasCurrentBytes)) return null;
    const named = names.named(rows);
    if (named !== null) return named;
  }
  const rows = await reader.select<NamedRow>(NEAR, all);
  if (!rows.every(hasCurrentBytes)) return null;
  names?.note(rows);
  return rows;
}
