import { Injectable } from '@nestjs/common';
import type { Reader } from '../../platform/database/database.js';
import { LedgerReadsService } from '../../ledger/revisions/ledger-reads.service.js';
import {
  MAX_COUNTED,
  MAX_PAYMENTS,
  type SubscriptionPayment,
  type SubscriptionPayments,
  type PaymentsRange,
} from './subscription-payments.model.js';
import { SubscriptionPaymentsRepository } from './subscription-payments.repository.js';

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
    const [until, after] = [
      { ...range, side: 'until' },
      { ...range, side: 'after' },
    ] as const;
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
