import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../revisions/ledger-reads.service.js';
import type { TransactionDetail } from './transaction-detail.model.js';
import { TransactionDetailsRepository } from './transaction-details.repository.js';

@Injectable()
export class TransactionDetailsService {
  constructor(
    private readonly repository: TransactionDetailsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /** @throws ApiError not_found if the transaction does not exist or belongs to another vendor */
  detail(vendor_id: number, paykey: string): Promise<TransactionDetail> {
    return this.reads.readTransaction(vendor_id, paykey, (reader) =>
      this.repository.detailOf(vendor_id, paykey, reader),
    );
  }
}
