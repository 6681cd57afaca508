import { Module } from '@nestjs/common';
import { HttpCacheModule } from '../../api/cache/page-cache.js';
import { RevisionSource } from '../../api/cache/revision-source.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { AnswerMemoryModule } from '../../platform/limits/memory/answer-memory.js';
import { AccountsModule } from '../accounts/index.js';
import { AffiliatesModule } from '../affiliates/index.js';
import { ProductsModule } from '../products/index.js';
import { RecurringModule } from '../recurring/index.js';
import { TransactionsModule } from '../transactions/index.js';
import { CohortsRepository } from './cohorts/cohorts.repository.js';
import { CohortsService } from './cohorts/cohorts.service.js';
import { CustomerNamesRepository } from './customers/customer-names.repository.js';
import { CustomerNamesService } from './customers/customer-names.service.js';
import {
  CustomerSlices,
  CustomerSlicesRepository,
} from './customers/customer-slices.repository.js';
import { CustomerSumsRepository } from './customers/customer-sums.repository.js';
import { CustomersController } from './customers/customers.controller.js';
import { CustomersService } from './customers/customers.service.js';
import { EarningsController } from './earnings/earnings.controller.js';
import { EarningsRepository } from './earnings/earnings.repository.js';
import { EarningsService } from './earnings/earnings.service.js';
import { OwnTrackingController } from './earnings/own-tracking.controller.js';
import { OwnTrackingRepository } from './earnings/own-tracking.repository.js';
import { OwnTrackingService } from './earnings/own-tracking.service.js';
import { FigureAnswersService } from './figures/figure-answers.service.js';
import { FigureBounds, FigureReadsService } from './figures/figure-reads.service.js';
import { FiguresService } from './figures/figures.service.js';
import { FiguresController } from './figures/http/figures.controller.js';
import { FiguresRevisionSource } from './figures/http/figures-revision.source.js';
import { KeptReportsController } from './figures/http/kept-reports.controller.js';
import { KeptReportsService } from './figures/kept-reports.service.js';
import { LedgerFiguresRepository } from './figures/ledger-figures.repository.js';
import { ItemNamesService } from './item-names.service.js';
import { AffiliateChangesService } from './affiliates/affiliate-changes.service.js';
import { AffiliateSalesService } from './affiliates/affiliate-sales.service.js';
import { AffiliateReportsService } from './affiliates/affiliate-reports.service.js';
import { AffiliateSumsRepository } from './affiliates/affiliate-sums.repository.js';
import { FilterCustomersService } from './lists/filter-customers.service.js';
import { FilterNamesService } from './lists/filter-names.service.js';
import { ListTotalsService } from './lists/list-totals.service.js';
import { PayoutsService } from './affiliates/payouts.service.js';
import { ReportListsRepository } from './lists/report-lists.repository.js';
import { ReportListsService } from './lists/report-lists.service.js';
import { SearchGroupsService } from './sale/search-groups.service.js';
import { SearchService } from './sale/search.service.js';
import { SearchRepository } from './sale/search.repository.js';
import { ReportsService } from './reports.service.js';
import { SaleRepository } from './sale/sale.repository.js';
import { SaleService } from './sale/sale.service.js';
import { FiguresRepository } from './sums/figures.repository.js';
import { TrackingReportRepository } from './tracking/tracking-report.repository.js';
import { TrackingReportService } from './tracking/tracking-report.service.js';
import { TopItemsService } from './top-items.service.js';

@Module({
  imports: [
    AnswerMemoryModule,
    AccountsModule,
    AffiliatesModule,
    ChangesModule,
    HttpCacheModule,
    ProductsModule,
    RecurringModule,
    TransactionsModule,
  ],
  controllers: [
    FiguresController,
    KeptReportsController,
    CustomersController,
    EarningsController,
    OwnTrackingController,
  ],
  providers: [
    FiguresService,
    FigureAnswersService,
    FigureReadsService,
    FigureBounds,
    KeptReportsService,
    FiguresRepository,
    LedgerFiguresRepository,
    { provide: RevisionSource, useClass: FiguresRevisionSource },
    ReportsService,
    TopItemsService,
    ReportListsService,
    ReportListsRepository,
    ListTotalsService,
    FilterNamesService,
    FilterCustomersService,
    ItemNamesService,
    CohortsService,
    CohortsRepository,
    CustomersService,
    CustomerNamesService,
    CustomerNamesRepository,
    CustomerSumsRepository,
    CustomerSlices,
    CustomerSlicesRepository,
    SaleService,
    SaleRepository,
    AffiliateReportsService,
    AffiliateChangesService,
    AffiliateSalesService,
    AffiliateSumsRepository,
    PayoutsService,
    EarningsService,
    EarningsRepository,
    OwnTrackingService,
    OwnTrackingRepository,
    TrackingReportService,
    TrackingReportRepository,
    SearchService,
    SearchRepository,
    SearchGroupsService,
  ],
  exports: [
    FiguresService,
    KeptReportsService,
    ReportsService,
    ReportListsService,
    FilterNamesService,
    FilterCustomersService,
    CohortsService,
    ItemNamesService,
    SaleService,
    SearchService,
    SearchGroupsService,
    CustomersService,
    AffiliateReportsService,
    AffiliateChangesService,
    AffiliateSalesService,
    PayoutsService,
    EarningsService,
    OwnTrackingService,
    TrackingReportService,
  ],
})
export class ReportsModule {}
