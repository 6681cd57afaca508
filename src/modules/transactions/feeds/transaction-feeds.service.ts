import { Injectable } from '@nestjs/common';
import { DAY_MS, dateTimeOf } from '../../../common/time.js';
import { LedgerReadsService } from '../revisions/ledger-reads.service.js';
import { TRANSACTION_ID, type LedgerPosition } from '../transaction.model.js';
import { AFFILIATE_FEED_DAYS, type FeedTransaction } from './transaction-feed.model.js';
import {
  TransactionFeedsRepository,
  type FeedAtRevision,
  type FromPaykey,
} from './transaction-feeds.repository.js';

/** The transactions as 2.0 reads them: summaries and the two feeds. */
@Injectable()
export class TransactionFeedsService {
  constructor(
    private readonly feeds: TransactionFeedsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /** @throws ApiError not_found where the transaction does not exist or is another vendor's */
  summary(vendor_id: number, paykey: string): Promise<FeedAtRevision> {
    return this.reads.readTransaction(vendor_id, paykey, (reader) =>
      this.feeds.transactionOf(vendor_id, paykey, reader),
    );
  }

  /**
   * The vendor's transactions, oldest first, at most 100 (interface 4.3): from the oldest on, or what
   * comes after `paykey` where that is one of this feed.
   */
  latestOfVendor(vendor_id: number, paykey?: string): Promise<FeedAtRevision & FromPaykey> {
    const { feeds, reads } = this;
    return reads.read(vendor_id, null, async (reader) => {
      const from =
        paykey !== undefined && TRANSACTION_ID.test(paykey)
          ? await feeds.positionInVendorFeed(vendor_id, paykey, reader)
          : { revision: null, position: null };
      const feed = await feeds.transactionsOfVendor(vendor_id, from.position, reader);
      const isUnknownPaykey = paykey !== undefined && from.position === null;
      // The position may have moved since: what is told holds from the revision on where it was found.
      return { ...feed, revision: from.revision ?? feed.revision, isUnknownPaykey };
    });
  }

  /**
   * What a user sold as an affiliate, oldest first, at most 100 (interface 4.3): the last 90 days, or
   * what comes after `paykey`, wherever it lies, where that is one of this feed.
   */
  async latestOfAffiliate(
    affiliate_id: number,
    paykey?: string,
  ): Promise<{ readonly transactions: readonly FeedTransaction[] } & FromPaykey> {
    const position =
      paykey !== undefined && TRANSACTION_ID.test(paykey)
        ? await this.feeds.positionInAffiliateFeed(affiliate_id, paykey)
        : null;
    const after = position ?? startOfAffiliateFeed();
    const { transactions } = await this.feeds.transactionsOfAffiliate(affiliate_id, after);
    return { transactions, isUnknownPaykey: paykey !== undefined && position === null };
  }
}

function startOfAffiliateFeed(): LedgerPosition {
  const sale_date = dateTimeOf(new Date(Date.now() - AFFILIATE_FEED_DAYS * DAY_MS));
  return { sale_date, arrival: 0 };
}
