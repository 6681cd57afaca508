import { Injectable } from '@nestjs/common';
import type { Reader } from '../../platform/database/database.js';
import { columnsOf } from '../../platform/database/named-rows.js';
import { SEEN_AFFILIATE, SEEN_NAME, seenColumn } from '../../ledger/reads/seen-user.model.js';
import { PAYOUT_ITEM_COLUMNS } from '../../ledger/records/transaction.record.js';
import type { StoredPayoutItem } from '../../ledger/reads/transaction.entity.js';
import { REVISION } from '../../ledger/reads/transaction-row.model.js';
import {
  DETAIL_COLUMNS,
  type DetailRow,
  type TransactionDetail,
} from './transaction-detail.model.js';

const ITEM_COLUMNS = ['position', ...PAYOUT_ITEM_COLUMNS] as const;
type ItemRow = Pick<StoredPayoutItem, (typeof ITEM_COLUMNS)[number]>;
type NoItem = Readonly<Record<keyof ItemRow, null>>;
type Row = DetailRow & (ItemRow | NoItem);

/**
 * Selects one row for each payout item, or one row without an item, so that all come from one
 * snapshot.
 */
const DETAIL = `SELECT ${REVISION}, ${columnsOf('t', DETAIL_COLUMNS)}, ${columnsOf('i', ITEM_COLUMNS)},
    COALESCE(t.customer_processor_email, t.customer_email) AS processor_email,
    v.name AS vendor_name, v.email AS vendor_email, u.id AS affiliate_id,
    ${SEEN_NAME} AS affiliate_name, ${seenColumn('email')} AS affiliate_email
  FROM transactions t JOIN users v ON v.id = t.vendor_id ${SEEN_AFFILIATE}
    LEFT JOIN payout_items i ON i.vendor_id = t.vendor_id AND i.arrival = t.arrival
  WHERE t.vendor_id = ? AND t.transaction_id = ? ORDER BY i.position`;

/**
 * Reads the transaction details of API 2.1. The SQL is hand-written: one statement instead of the
 * five reads of TypeORM (docs/adr/0003-own-statements.md).
 */
@Injectable()
export class TransactionDetailsRepository {
  /**
   * Returns the details, or null if the transaction does not exist or belongs to another vendor.
   */
  async detailOf(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<TransactionDetail | null> {
    const rows = await reader.select<Row>(DETAIL, [vendor_id, vendor_id, paykey]);
    const [row] = rows;
    if (row === undefined) return null;
    return { ...row, payout_items: rows.flatMap((each) => (each.position === null ? [] : [each])) };
  }
}
