import { Injectable } from '@nestjs/common';
import type { RecordBatch } from '../ledger/ledger.model.js';
import { LinesOfKind } from '../ledger/record-batch.model.js';
import { AffiliationRecords, ClicksRecords } from './affiliate.records.js';
import { AffiliatesRepository } from './affiliates.repository.js';

/** Relationships between affiliates and products, and the clicks that affiliates brought. */
@Injectable()
export class AffiliatesService {
  constructor(private readonly repository: AffiliatesRepository) {}

  affiliationBatch(): RecordBatch {
    return new LinesOfKind(new AffiliationRecords(this.repository));
  }

  clicksBatch(): RecordBatch {
    return new LinesOfKind(new ClicksRecords(this.repository));
  }
}
