import { Injectable } from '@nestjs/common';
import { endOf } from '../../../ledger/records/recurring-status.js';
import type { Reader } from '../../../platform/database/database.js';
import { ActivityService } from '../../audit/index.js';
import { subscriptionSubject, type RecurringPayment } from '../recurring-payment.model.js';

/** The audited action that cancels a subscription. */
export const CANCEL_ACTION = 'recurring_payment.cancel';

type Canceled = Pick<RecurringPayment, 'id' | 'pre_key' | 'status'>;

/** Reads when this service canceled subscriptions. */
@Injectable()
export class CancelTimesService {
  constructor(private readonly activity: ActivityService) {}

  /**
   * Returns the times of the cancellations in UTC, by key. A subscription that is not canceled, or
   * that was canceled elsewhere, is left out.
   * @param reader reads one state of the ledger; by default the newest data is read
   */
  async of(
    vendor_id: number,
    payments: readonly Canceled[],
    reader?: Reader,
  ): Promise<ReadonlyMap<string, string>> {
    const canceled = payments.filter(({ status }) => endOf(status) === 'CANCELED');
    if (canceled.length === 0) return new Map();
    const subjects = canceled.map((payment) => subscriptionSubject(payment));
    const times = await this.activity.lastTimes(vendor_id, CANCEL_ACTION, subjects, reader);
    return new Map(
      canceled.flatMap((payment) => {
        const time = times.get(subscriptionSubject(payment));
        return time === undefined ? [] : [[payment.pre_key, time] as const];
      }),
    );
  }
}
