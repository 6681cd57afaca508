import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AffiliatesModule } from '../affiliates/affiliates.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ProductsModule } from '../products/products.module.js';
import { RecurringModule } from '../recurring/recurring.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { ImportService } from './import.service.js';

@Module({
  imports: [
    AccountsModule,
    AffiliatesModule,
    AuditModule,
    ProductsModule,
    RecurringModule,
    TransactionsModule,
  ],
  providers: [ImportService],
  exports: [ImportService],
})
export class ImportModule {}
