import { Injectable } from '@nestjs/common';
import { DAY_MS, dateTimeOf } from '../../../platform/values/time.js';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { maskTransaction, type LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import {
  AFFILIATE_FEED_DAYS,
  type FeedTransaction,
  type TransactionDetail,
} from './transaction-feed.model.js';
import { TransactionFeedsRepository } from './transaction-feeds.repository.js';

/** Reads transactions for API 2.1 and 2.0: the details, the summary and the two feeds. */
@Injectable()
export class TransactionFeedsService {
  constructor(
    private readonly feeds: TransactionFeedsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /**
   * Returns the summary of a transaction.
   * @throws ApiError not_found if the transaction does not exist or belongs to another vendor
   */
  async summary(vendor_id: number, paykey: string, isMasked: boolean): Promise<FeedTransaction> {
    const transaction = await this.reads.readTransaction(vendor_id, paykey, (reader) =>
      this.feeds.transactionOf(vendor_id, paykey, reader),
    );
    return isMasked ? maskTransaction(transaction) : transaction;
  }

  /**
   * Returns the details of a transaction, as API 2.1 shows them.
   * @throws ApiError not_found if it does not exist or belongs to another vendor
   */
  async detail(vendor_id: number, paykey: string, isMasked: boolean): Promise<TransactionDetail> {
    const detail = await this.reads.readTransaction(vendor_id, paykey, (reader) =>
      this.feeds.detailOf(vendor_id, paykey, reader),
    );
    return isMasked ? maskTransaction(detail) : detail;
  }

  /**
   * Returns the vendor's transactions after `paykey`. If it is not in this feed, they begin with
   * the first transaction.
   * @returns at most 100 transactions, oldest first; `isUnknownPaykey` is true if the request has a
   *   `paykey` that is not in this feed
   */
  latestOfVendor(vendor_id: number, isMasked: boolean, paykey?: string) {
    const { feeds, reads } = this;
    return reads.read(vendor_id, null, async (reader) => {
      const from = isTransactionId(paykey)
        ? await feeds.positionInVendorFeed(vendor_id, paykey, reader)
        : { revision: null, position: null };
      const found = await feeds.transactionsOfVendor(vendor_id, from.position, reader);
      const transactions = isMasked ? found.map(maskTransaction) : found;
      // The position may have changed since it was read, so the older of the two revisions counts.
      const revision = from.revision ?? transactions[0]?.revision ?? 0;
      return { revision, transactions, isUnknownPaykey: isUnknown(paykey, from.position) };
    });
  }

  /**
   * Returns the user's sales as an affiliate after `paykey`, however old they are. If it is not in
   * this feed, they begin 90 days ago.
   * @returns a response of the same form as that of `latestOfVendor`, without a revision
   */
  async latestOfAffiliate(affiliate_id: number, isMasked: boolean, paykey?: string) {
    const position = isTransactionId(paykey)
      ? await this.feeds.positionInAffiliateFeed(affiliate_id, paykey)
      : null;
    const after = position ?? startOfAffiliateFeed();
    const found = await this.feeds.transactionsOfAffiliate(affiliate_id, after);
    const transactions = isMasked ? found.map(maskTransaction) : found;
    return { transactions, isUnknownPaykey: isUnknown(paykey, position) };
  }
}

function isTransactionId(paykey: string | undefined): paykey is string {
  return paykey !== undefined && TRANSACTION_ID.test(paykey);
}

function isUnknown(paykey: string | undefined, position: LedgerPosition | null): boolean {
  return paykey !== undefined && position === null;
}

function startOfAffiliateFeed(): LedgerPosition {
  const sale_date = dateTimeOf(new Date(Date.now() - AFFILIATE_FEED_DAYS * DAY_MS));
  return { sale_date, vendor_id: 0, arrival: 0 };
}
