import { Injectable } from '@nestjs/common';
import { SEEN_AFFILIATE, SEEN_PAGE_NAME } from '../../../ledger/reads/seen-user.model.js';
import { byListOrder, isRowOf, SELECTED } from '../../../ledger/reads/transaction-row.model.js';
import type { LedgerPosition, Transaction } from '../../../ledger/reads/transaction.model.js';
import type { Reader } from '../../../platform/database/database.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import {
  areSmall,
  type IfSmall,
  joinedIfSmall,
  SIZED,
  type SizedRow,
  smallOf,
} from '../../../ledger/reads/row-sizes.model.js';
import type { DayRange } from '../report.model.js';
import { type PageKeys, QueryKeysRepository } from '../../transactions/index.js';
import {
  AFFILIATE_LIST_COLUMNS,
  type AffiliateTransaction,
  VENDOR_LIST_COLUMNS,
  type VendorTransaction,
} from './report-list.model.js';

/** SQL columns of an `AffiliateTransaction`, with the transaction as `t` and its vendor as `v`. */
export const AFFILIATE_SELECTED = `${columnsOf('t', AFFILIATE_LIST_COLUMNS)}, v.name AS vendor_name,
    t.affiliate_payout + COALESCE(t.affiliate_refund_impact, 0) AS commission`;

/** SQL columns of a `VendorTransaction`, with the transaction as `t` and its affiliate joined. */
const VENDOR_SELECTED = `${columnsOf('t', VENDOR_LIST_COLUMNS)}, ${SEEN_PAGE_NAME} AS affiliate_name`;

/**
 * Reads the transactions behind the figures of a report with hand-written SQL, a page at a time,
 * newest sale first.
 */
@Injectable()
export class ReportListsRepository {
  constructor(private readonly keys: QueryKeysRepository) {}

  pageOfVendor(reader: Reader, page: PageKeys): Promise<VendorTransaction[]> {
    return this.pageOf(reader, page, VENDOR_SELECTED, SEEN_AFFILIATE);
  }

  pageOfAffiliate(reader: Reader, page: PageKeys): Promise<AffiliateTransaction[]> {
    return this.pageOf(reader, page, AFFILIATE_SELECTED, 'JOIN users v ON v.id = t.vendor_id');
  }

  /**
   * Reads the rows with all columns. If one of them is large, it reads only the rows' keys and
   * sizes.
   */
  async wholePageOfVendor(
    reader: Reader,
    vendor_id: number,
    page: PageKeys,
  ): Promise<(Transaction | SizedRow)[]> {
    const { sql, values: ofKeys } = this.keys.keysOf(page);
    const values = [vendor_id, ...ofKeys];
    const rows = await reader.select<IfSmall<Transaction>>(
      `SELECT ${SELECTED} FROM (${sql}) page ${joinedIfSmall('page')} ${SEEN_AFFILIATE}`,
      [...values, smallOf(page.take)],
    );
    if (areSmall(rows)) return rows.sort(byListOrder);
    const sized = await reader.select<SizedRow>(
      `SELECT ${SIZED} FROM (${sql}) page CROSS JOIN transactions t ON ${isRowOf('page')}`,
      values,
    );
    return sized.sort(byListOrder);
  }

  /**
   * Returns the number of a vendor's transactions of any status that were sold before a range and
   * refunded in it.
   */
  async refundsOfEarlierSales(reader: Reader, vendor_id: number, range: DayRange): Promise<number> {
    const { start_date, end_date } = range;
    const [row] = await reader.select<{ readonly refunds: number | null }>(
      `SELECT CAST(SUM(refunds) AS SIGNED) AS refunds FROM refund_counts
        WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND sale_day < ?`,
      [vendor_id, start_date, end_date, start_date],
    );
    return row?.refunds ?? 0;
  }

  private async pageOf<Row extends LedgerPosition>(
    reader: Reader,
    page: PageKeys,
    selected: string,
    joined: string,
  ): Promise<Row[]> {
    const { sql, values } = this.keys.keysOf(page);
    const rows = await reader.select<Row>(
      `SELECT ${selected}
        FROM (${sql}) page
        CROSS JOIN transactions t ON ${isRowOf('page')}
        ${joined}`,
      values,
    );
    // A join guarantees no order.
    return rows.sort(byListOrder);
  }
}
