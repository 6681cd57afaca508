import { Module } from '@nestjs/common';
import { RetentionModule } from '../retention/retention.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [RetentionModule, TransactionsModule],
  providers: [VerificationService],
  exports: [VerificationService],
})
export class VerificationModule {}
