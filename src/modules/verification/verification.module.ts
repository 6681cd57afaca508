import { Module } from '@nestjs/common';
import { PrivacyModule } from '../privacy/index.js';
import { TransactionsModule } from '../transactions/index.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [PrivacyModule, TransactionsModule],
  providers: [VerificationService],
  exports: [VerificationService],
})
export class VerificationModule {}
