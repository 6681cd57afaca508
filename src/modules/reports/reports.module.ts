import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ProductsModule } from '../products/products.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { ReportListsService } from './lists/report-lists.service.js';
import { ReportTransactionsRepository } from './lists/report-transactions.repository.js';
import { ReportTransactionsService } from './lists/report-transactions.service.js';
import { ReportsService } from './reports.service.js';
import { ReportSumsRepository } from './sums/report-sums.repository.js';
import { ReportSumsService } from './sums/report-sums.service.js';

@Module({
  imports: [AccountsModule, ProductsModule, TransactionsModule],
  providers: [
    ReportsService,
    ReportListsService,
    ReportTransactionsService,
    ReportTransactionsRepository,
    ReportSumsService,
    ReportSumsRepository,
  ],
  exports: [ReportsService, ReportListsService],
})
export class ReportsModule {}
