import { Module } from '@nestjs/common';
import { AnswerMemoryModule } from '../../platform/limits/memory/answer-memory.js';
import { AccountsModule } from '../accounts/index.js';
import { ProductsModule } from '../products/index.js';
import { TransactionsModule } from '../transactions/index.js';
import { CohortsRepository } from './cohorts/cohorts.repository.js';
import { CohortsService } from './cohorts/cohorts.service.js';
import { ItemNamesService } from './item-names.service.js';
import { AffiliateReportsService } from './affiliates/affiliate-reports.service.js';
import { AffiliateSumsRepository } from './affiliates/affiliate-sums.repository.js';
import { ReportListsRepository } from './lists/report-lists.repository.js';
import { ReportListsService } from './lists/report-lists.service.js';
import { SearchService } from './sale/search.service.js';
import { SearchRepository } from './sale/search.repository.js';
import { ReportsService } from './reports.service.js';
import { SaleRepository } from './sale/sale.repository.js';
import { SaleService } from './sale/sale.service.js';
import { ReportSumsRepository } from './sums/report-sums.repository.js';
import { TrackingReportRepository } from './tracking/tracking-report.repository.js';
import { TrackingReportService } from './tracking/tracking-report.service.js';

@Module({
  imports: [AnswerMemoryModule, AccountsModule, ProductsModule, TransactionsModule],
  providers: [
    ReportsService,
    ReportListsService,
    ReportListsRepository,
    ReportSumsRepository,
    ItemNamesService,
    CohortsService,
    CohortsRepository,
    SaleService,
    SaleRepository,
    AffiliateReportsService,
    AffiliateSumsRepository,
    TrackingReportService,
    TrackingReportRepository,
    SearchService,
    SearchRepository,
  ],
  exports: [
    ReportsService,
    ReportListsService,
    CohortsService,
    SaleService,
    SearchService,
    AffiliateReportsService,
    TrackingReportService,
  ],
})
export class ReportsModule {}
