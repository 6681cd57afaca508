import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../database/database.js';
import type { BatchRun, RecordBatch } from '../ledger/ledger.model.js';
import { LinesOfKind } from '../ledger/record-batch.model.js';
import { AffiliateSalesRepository } from './affiliate-sales.repository.js';
import { LedgerCountsRepository } from './ledger-counts.repository.js';
import { LedgerVerificationRepository } from './ledger-verification.repository.js';
import { planPage } from './page-plan.js';
import {
  noSuchTransaction,
  TRANSACTION_ID,
  type Difference,
  type ListCriteria,
  type Transaction,
  type TransactionPage,
} from './transaction.model.js';
import { TransactionRecords } from './transaction.records.js';
import { TransactionWritesRepository } from './transaction-writes.repository.js';
import { TransactionsRepository } from './transactions.repository.js';

/** How often a page is tried beside writers before it is read under the ledger's lock. */
const TRIES = 5;

/** The transactions of a vendor. */
@Injectable()
export class TransactionsService {
  constructor(
    private readonly database: Database,
    private readonly repository: TransactionsRepository,
    private readonly writes: TransactionWritesRepository,
    private readonly counts: LedgerCountsRepository,
    private readonly sales: AffiliateSalesRepository,
    private readonly verification: LedgerVerificationRepository,
  ) {}

  /**
   * One page of what was sold, or refunded, in a range of whole days (interface 4.1 rule 1), newest
   * sale first, ties by the order of arrival, newest first. Count and rows are of one revision of the
   * ledger: where a writer comes in between, both are read again.
   */
  async list(criteria: ListCriteria): Promise<TransactionPage> {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const page = await this.pageAtOneRevision(criteria, this.database);
      if (page !== null) return page;
    }
    return this.database.write(async (session) => {
      await this.counts.lockLedgers(session, [criteria.vendor_id]);
      const page = await this.pageAtOneRevision(criteria, session);
      if (page === null) throw new Error('the kept counts disagree with the ledger; run verify');
      return page;
    });
  }

  /**
   * One transaction of the vendor.
   * @throws ApiError not_found where it does not exist or is another vendor's (interface 4.1 rule 3)
   */
  async get(vendor_id: number, transaction_id: string): Promise<Transaction> {
    const transaction = TRANSACTION_ID.test(transaction_id)
      ? await this.repository.transactionOf(vendor_id, transaction_id)
      : null;
    if (transaction === null) throw noSuchTransaction();
    return transaction;
  }

  transactionBatch(): RecordBatch {
    const lines = new LinesOfKind(new TransactionRecords(this.writes, this.counts, this.sales));
    return {
      read: (line, fields, wanted) => {
        lines.read(line, fields, wanted);
      },
      apply: async (run: BatchRun) => {
        await lines.apply(run);
        await this.counts.raiseRevisionsOfAffiliates(run.session, run.renamedAffiliates);
      },
    };
  }

  /** What is kept beside the ledger and is not what the ledger says; empty when all is well. */
  differences(): Promise<Difference[]> {
    return this.verification.differences();
  }

  /** @returns null where the ledger changed between the reads */
  private async pageAtOneRevision(
    criteria: ListCriteria,
    reader: Reader,
  ): Promise<TransactionPage | null> {
    const { revision, sold, refunded } = await this.repository.listCounts(criteria, reader);
    const plan = planPage(sold, refunded, criteria.page);
    const parts = [
      { stretch: plan.sold, read: this.repository.soldIn.bind(this.repository) },
      { stretch: plan.refunded, read: this.repository.refundedIn.bind(this.repository) },
    ];
    const transactions: Transaction[] = [];
    for (const { stretch, read } of parts) {
      if (stretch === null) continue;
      const part = await read(criteria, stretch, reader);
      if (part.revision !== revision || part.transactions.length !== stretch.take) return null;
      transactions.push(...part.transactions);
    }
    return { transactions, total_count: plan.total_count };
  }
}
