import { Injectable } from '@nestjs/common';
import type { RecordBatch } from '../ledger/ledger.model.js';
import { LinesOfKind } from '../ledger/record-batch.model.js';
import { RecurringPaymentRecords } from './recurring-payment.records.js';
import { RecurringRepository } from './recurring.repository.js';

/** Payments that customers agreed to repeat. */
@Injectable()
export class RecurringService {
  constructor(private readonly repository: RecurringRepository) {}

  recurringPaymentBatch(): RecordBatch {
    return new LinesOfKind(new RecurringPaymentRecords(this.repository));
  }
}
