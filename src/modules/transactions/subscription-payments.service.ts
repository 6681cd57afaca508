import { Injectable } from '@nestjs/common';
import type { Reader } from '../../platform/database/database.js';
import { LedgerReadsService } from '../../ledger/revisions/ledger-reads.service.js';
import {
  type PaymentsRange,
  type SubscriptionPayment,
  SubscriptionPaymentsRepository,
} from './subscription-payments.repository.js';

/** Maximum number of payments of a subscription that are shown at once. */
export const MAX_PAYMENTS = 50;
/** Payments that are not shown are counted up to this number. */
export const MAX_COUNTED = 500;

/** Contains payments of a subscription around one of them. */
export interface SubscriptionPayments {
  /** At most MAX_PAYMENTS payments, oldest first. */
  readonly payments: readonly SubscriptionPayment[];
  /**
   * The numbers of payments before the first and after the last of them. MAX_COUNTED means that
   * many or more.
   */
  readonly earlier: number;
  readonly later: number;
}

const HALF = MAX_PAYMENTS / 2;

/** Reads the payments of a subscription: the transactions of a vendor with its `pre_key`. */
@Injectable()
export class SubscriptionPaymentsService {
  constructor(
    private readonly repository: SubscriptionPaymentsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /**
   * Returns the payments of a subscription around one of them.
   * @param place place of a payment; if there are many, those nearest to it are returned
   */
  around(
    vendor_id: number,
    pre_key: string,
    place: PaymentsRange['place'],
  ): Promise<SubscriptionPayments> {
    const range = { vendor_id, pre_key, place };
    const until = { ...range, side: 'until' } as const;
    const after = { ...range, side: 'after' } as const;
    return this.reads.read(vendor_id, null, async (reader) => {
      const older = await this.repository.payments(reader, until, MAX_PAYMENTS);
      const newer = await this.repository.payments(reader, after, MAX_PAYMENTS);
      // Each side gets half of the payments, or more if the other side has fewer. Both are newest
      // first.
      const later = newer.slice(-Math.max(HALF, MAX_PAYMENTS - older.length));
      const earlier = older.slice(0, MAX_PAYMENTS - later.length);
      return {
        payments: [...later, ...earlier].reverse(),
        earlier: await this.countBeyond(reader, until, older, earlier.length),
        later: await this.countBeyond(reader, after, newer, later.length),
      };
    });
  }

  /**
   * Returns the name of the customer in the newest payment of each subscription, by its key.
   * @param pre_keys subscriptions of one page
   */
  async namesOf(
    vendor_id: number,
    pre_keys: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (pre_keys.length === 0) return new Map();
    const found = await this.reads.read(vendor_id, null, (reader) =>
      this.repository.newestNames(reader, vendor_id, pre_keys),
    );
    return new Map(
      found.map(({ pre_key, customer_first_name: first, customer_last_name: last }) => [
        pre_key ?? '',
        `${first} ${last}`.trim(),
      ]),
    );
  }

  private async countBeyond(
    reader: Reader,
    range: PaymentsRange,
    read: readonly SubscriptionPayment[],
    shown: number,
  ): Promise<number> {
    if (read.length < MAX_PAYMENTS) return read.length - shown;
    return (await this.repository.count(reader, range, MAX_COUNTED + shown)) - shown;
  }
}
