import { Module } from '@nestjs/common';
import { TransactionsController as TransactionsControllerV3 } from './http/v3.0/transactions.controller.js';
import { LedgerCountsRepository } from './ledger-counts.repository.js';
import { LedgerVerificationRepository } from './ledger-verification.repository.js';
import { TransactionWritesRepository } from './transaction-writes.repository.js';
import { TransactionsRepository } from './transactions.repository.js';
import { TransactionsService } from './transactions.service.js';

@Module({
  controllers: [TransactionsControllerV3],
  providers: [
    TransactionsService,
    TransactionsRepository,
    TransactionWritesRepository,
    LedgerCountsRepository,
    LedgerVerificationRepository,
  ],
  exports: [TransactionsService],
})
export class TransactionsModule {}
