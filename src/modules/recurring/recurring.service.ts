import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import type { RecordBatch } from '../../ledger-format/ledger.model.js';
import { TypedBatch } from '../../ledger-format/record-batch.js';
import type { RecurringPayment } from './recurring-payment.model.js';
import { RecurringPaymentRecords } from './recurring-payment.records.js';
import { RecurringRepository } from './recurring.repository.js';

/** Payments that customers agreed to repeat. */
@Injectable()
export class RecurringService {
  constructor(private readonly repository: RecurringRepository) {}

  /**
   * A recurring payment for a product of the vendor's.
   * @throws ApiError not_found where it does not exist or is another vendor's
   */
  async paymentOf(vendor_id: number, pre_key: string): Promise<RecurringPayment> {
    const payment = await this.repository.paymentOfVendor(vendor_id, pre_key);
    if (payment === null) throw new ApiError('not_found', 'There is no such recurring payment.');
    return payment;
  }

  recurringPaymentBatch(): RecordBatch {
    return new TypedBatch(new RecurringPaymentRecords(this.repository));
  }
}
