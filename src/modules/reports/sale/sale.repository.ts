import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import { SEEN_AFFILIATE, SEEN_PAGE_NAME } from '../../../ledger/reads/seen-user.model.js';
import { PAYOUT_ITEM_COLUMNS } from '../../../ledger/records/transaction.record.js';
import { AFFILIATE_SELECTED } from '../lists/report-lists.repository.js';
import type { AffiliateTransaction } from '../lists/report-list.model.js';
import { MAX_ITEMS, SALE_COLUMNS, type VendorSale } from './sale.model.js';

type SaleRow = Omit<VendorSale, 'payout_items' | 'payout_item_count' | 'agreement'>;
type Items = Pick<VendorSale, 'payout_items' | 'payout_item_count'>;
type ItemRow = VendorSale['payout_items'][number] & { readonly item_count: number };

/**
 * Reads one transaction of a user with hand-written SQL, like the lists: an affiliate gets the
 * columns of their list.
 */
@Injectable()
export class SaleRepository {
  /** @returns null if there is no such transaction, or it belongs to another vendor */
  async ofVendor(
    reader: Reader,
    vendor_id: number,
    transaction_id: string,
  ): Promise<SaleRow | null> {
    const [sale = null] = await reader.select<SaleRow>(
      `SELECT ${columnsOf('t', SALE_COLUMNS)}, ${SEEN_PAGE_NAME} AS affiliate_name
        FROM transactions t ${SEEN_AFFILIATE}
        WHERE t.vendor_id = ? AND t.transaction_id = ?`,
      [vendor_id, transaction_id],
    );
    return sale;
  }

  async itemsOf(
    reader: Reader,
    { vendor_id, arrival }: Pick<SaleRow, 'vendor_id' | 'arrival'>,
  ): Promise<Items> {
    const rows = await reader.select<ItemRow>(
      `SELECT ${PAYOUT_ITEM_COLUMNS.join(', ')}, (SELECT COUNT(*) FROM payout_items
          WHERE vendor_id = ? AND arrival = ?) AS item_count
        FROM payout_items WHERE vendor_id = ? AND arrival = ? ORDER BY position LIMIT ?`,
      [vendor_id, arrival, vendor_id, arrival, MAX_ITEMS],
    );
    return { payout_items: rows, payout_item_count: rows[0]?.item_count ?? 0 };
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
