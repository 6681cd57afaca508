import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../revisions/ledger-reads.service.js';
import {
  TransactionDetailsRepository,
  type DetailAtRevision,
} from './transaction-details.repository.js';

/** Everything that is known of a transaction, as 2.1 shows it. */
@Injectable()
export class TransactionDetailsService {
  constructor(
    private readonly repository: TransactionDetailsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /** @throws ApiError not_found where the transaction does not exist or is another vendor's */
  detail(vendor_id: number, paykey: string): Promise<DetailAtRevision> {
    return this.reads.readTransaction(vendor_id, paykey, (reader) =>
      this.repository.detailOf(vendor_id, paykey, reader),
    );
  }
}
