import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import { SEEN_AFFILIATE, SEEN_PAGE_NAME } from '../../../ledger/reads/seen-user.model.js';
import {
  PAYOUT_ITEM_COLUMNS,
  type PayoutItemRecord,
} from '../../../ledger/records/transaction.record.js';
import { AFFILIATE_SELECTED } from '../lists/report-lists.repository.js';
import type { AffiliateTransaction } from '../lists/report-list.model.js';
import { COLUMN_NAMES } from '../../../ledger/columns.js';
import type { StoredTransaction } from '../../../ledger/reads/transaction.model.js';

/** All columns that a ledger record fills, and the key. */
const SALE_COLUMNS = ['vendor_id', 'arrival', ...COLUMN_NAMES] as const;

type SaleRow = Pick<StoredTransaction, (typeof SALE_COLUMNS)[number]>;

export interface SaleWithItems extends SaleRow {
  /** Display name of the affiliate, or the name if there is none. */
  readonly affiliate_name: string | null;
  /** First payout items. */
  readonly payout_items: readonly PayoutItemRecord[];
  readonly payout_item_count: number;
}

type NamedSale = Omit<SaleWithItems, 'payout_items' | 'payout_item_count'>;
type ItemRow = PayoutItemRecord & { readonly item_count: number };

/**
 * Reads one transaction of a user with hand-written SQL, like the lists: an affiliate gets the
 * columns of their list.
 */
@Injectable()
export class SaleRepository {
  /**
   * Returns a transaction with its first payout items.
   * @returns null if there is no such transaction, or it belongs to another vendor
   */
  async ofVendor(
    reader: Reader,
    vendor_id: number,
    transaction_id: string,
    mostItems: number,
  ): Promise<SaleWithItems | null> {
    const [sale] = await reader.select<NamedSale>(
      `SELECT ${columnsOf('t', SALE_COLUMNS)}, ${SEEN_PAGE_NAME} AS affiliate_name
        FROM transactions t ${SEEN_AFFILIATE}
        WHERE t.vendor_id = ? AND t.transaction_id = ?`,
      [vendor_id, transaction_id],
    );
    if (sale === undefined) return null;
    const { arrival } = sale;
    const items = await reader.select<ItemRow>(
      `SELECT ${PAYOUT_ITEM_COLUMNS.join(', ')}, (SELECT COUNT(*) FROM payout_items
          WHERE vendor_id = ? AND arrival = ?) AS item_count
        FROM payout_items WHERE vendor_id = ? AND arrival = ? ORDER BY position LIMIT ?`,
      [vendor_id, arrival, vendor_id, arrival, mostItems],
    );
    return { ...sale, payout_items: items, payout_item_count: items[0]?.item_count ?? 0 };
  }

  /** @returns null if there is no such transaction, or it was not made by this affiliate */
  async ofAffiliate(
    reader: Reader,
    affiliate_id: number,
    transaction_id: string,
  ): Promise<AffiliateTransaction | null> {
    const [sale = null] = await reader.select<AffiliateTransaction>(
      `SELECT ${AFFILIATE_SELECTED} FROM transactions t JOIN users v ON v.id = t.vendor_id
        WHERE t.affiliate_id = ? AND t.transaction_id = ?`,
      [affiliate_id, transaction_id],
    );
    return sale;
  }
}
