import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { dayOf } from '../../../platform/values/time.js';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';
import {
  type SubscriptionPayments,
  SubscriptionPaymentsService,
} from '../../transactions/index.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import type { AffiliateTransaction } from '../lists/report-list.model.js';
import { SaleRepository, type SaleWithItems } from './sale.repository.js';

/** Maximum number of payout items of a sale that are shown. */
export const MAX_ITEMS = 100;

/** A transaction as its vendor sees it. Money is in cents. */
export interface VendorSale extends SaleWithItems {
  /** Payments of the sale's subscription; null if it belongs to none. */
  readonly subscription: SubscriptionPayments | null;
}

/** One transaction of a user: a sale of their product, or one that they made as an affiliate. */
export type ShownSale =
  | { readonly role: 'vendor'; readonly sale: VendorSale }
  | { readonly role: 'affiliate'; readonly sale: AffiliateTransaction };

/** Reads the content of the page of one transaction. */
@Injectable()
export class SaleService {
  constructor(
    private readonly repository: SaleRepository,
    private readonly subscriptions: SubscriptionPaymentsService,
    private readonly reads: LedgerReadsService,
  ) {}

  /**
   * Returns the whole transaction if the user is its vendor, or the columns of an affiliate's list
   * if the user is its affiliate.
   * @throws ApiError not_found for all other users, and if there is no such transaction
   */
  async saleOf(user_id: number, transaction_id: string): Promise<ShownSale> {
    if (TRANSACTION_ID.test(transaction_id)) {
      const own = await this.ofVendor(user_id, transaction_id);
      if (own !== null) return { role: 'vendor', sale: own };
      const sold = await this.reads.readFor({ role: 'affiliate', user_id }, (reader) =>
        this.repository.ofAffiliate(reader, user_id, transaction_id),
      );
      if (sold !== null) return { role: 'affiliate', sale: sold };
    }
    throw new ApiError('not_found', 'There is no such transaction.');
  }

  /**
   * Returns the days on which the vendor's lists contain a sale, or none if it is not the vendor's.
   */
  async daysInLists(vendor_id: number, transaction_id: string): Promise<string[]> {
    const sale = await this.ofVendor(vendor_id, transaction_id);
    if (sale === null) return [];
    return [sale.sale_date, sale.refund_date].flatMap((at) => (at === null ? [] : [dayOf(at)]));
  }

  private async ofVendor(vendor_id: number, transaction_id: string): Promise<VendorSale | null> {
    const viewer = { role: 'vendor', user_id: vendor_id } as const;
    const found = await this.reads.readFor(viewer, (reader) =>
      this.repository.ofVendor(reader, vendor_id, transaction_id, MAX_ITEMS),
    );
    if (found === null) return null;
    const { pre_key } = found;
    const subscription =
      pre_key === null ? null : await this.subscriptions.around(vendor_id, pre_key, found);
    return { ...found, subscription };
  }
}
