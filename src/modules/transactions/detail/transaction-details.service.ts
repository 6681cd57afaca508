import { Injectable } from '@nestjs/common';
import { maskTransaction } from '../transaction.model.js';
import { LedgerReadsService } from '../revisions/ledger-reads.service.js';
import type { TransactionDetail } from './transaction-detail.model.js';
import { TransactionDetailsRepository } from './transaction-details.repository.js';

@Injectable()
export class TransactionDetailsService {
  constructor(
    private readonly repository: TransactionDetailsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /**
   * Returns the details of a transaction.
   * @throws ApiError not_found if the transaction does not exist or belongs to another vendor
   */
  async detail(vendor_id: number, paykey: string, isMasked: boolean): Promise<TransactionDetail> {
    const detail = await this.reads.readTransaction(vendor_id, paykey, (reader) =>
      this.repository.detailOf(vendor_id, paykey, reader),
    );
    return isMasked ? maskTransaction(detail) : detail;
  }
}
