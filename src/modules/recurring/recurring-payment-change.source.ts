import { Injectable } from '@nestjs/common';
import {
  ChangeSource,
  type ContentCriteria,
  type SizeCriteria,
} from '../../ledger/changes/change-source.model.js';
import { RecurringService } from './recurring.service.js';
import { presentRecurringPayment } from './recurring-payments.v2.0.controller.js';

/**
 * Provides recurring payments to the feed of changes, in the form of API 2.0. Their key is the
 * `preKey`.
 */
@Injectable()
export class RecurringPaymentChangeSource extends ChangeSource {
  readonly kind = 'recurring_payment';

  constructor(private readonly recurring: RecurringService) {
    super();
  }

  override async contentsOf(criteria: ContentCriteria): Promise<ReadonlyMap<string, string>> {
    const payments = await this.recurring.shownPaymentsOf(criteria);
    return new Map(
      payments.map((payment) => [
        payment.pre_key,
        JSON.stringify(presentRecurringPayment(payment)),
      ]),
    );
  }

  override sizesOf({ reader, record_keys }: SizeCriteria): Promise<ReadonlyMap<string, number>> {
    return this.recurring.reads.sizesOf(reader, record_keys);
  }
}
