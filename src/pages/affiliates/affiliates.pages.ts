import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { AffiliatesService } from '../../modules/affiliates/affiliates.service.js';
import { AffiliateReportsService } from '../../modules/reports/affiliates/affiliate-reports.service.js';
import { AffiliateTablesService } from '../../modules/reports/affiliates/affiliate-tables.service.js';
import { ProductsService } from '../../modules/products/products.service.js';
import type { DayRange } from '../../modules/reports/report.model.js';
import { ReportsService } from '../../modules/reports/reports.service.js';
import { csvDownload, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import { rangeOf, rangeProblems, type ReportQuery } from '../reports/report-query.js';
import { NO_RANGE } from '../reports/reports.pages.js';
import type { SignedInVisit } from '../session/visit.js';
import { affiliatePage, invalidAffiliatePage } from './affiliate.view.js';
import { affiliatesPage, invalidAffiliatesPage } from './affiliates.view.js';
import { affiliatesQueryOf, rangeQueryOf } from './affiliates-query.js';

/** Serves the pages of a vendor's affiliates. */
@Injectable()
export class AffiliatePages implements Pages {
  constructor(
    private readonly tables: AffiliateTablesService,
    private readonly affiliateReports: AffiliateReportsService,
    private readonly affiliates: AffiliatesService,
    private readonly products: ProductsService,
    private readonly reports: ReportsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/affiliates', (visit) => this.list(visit));
    routes.get('/affiliates.csv', (visit) => this.download(visit));
    routes.get('/affiliates/:id', (visit) => this.show(visit));
  }

  private async list(visit: SignedInVisit): Promise<PageAnswer> {
    const query = affiliatesQueryOf(visit);
    const { report, page, ...order } = query;
    const range = await this.rangeOf(visit, report);
    if (range === null) return invalidAffiliatesPage(query, rangeProblems(report));
    const request = { ...requestOf(visit, report, range), ...order };
    return affiliatesPage({ query, range, table: await this.tables.table(request, page) });
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const { report, sort, order } = affiliatesQueryOf(visit);
    const range = await this.rangeOf(visit, report);
    if (range === null) throw new ApiError('invalid_parameters', NO_RANGE);
    const request = { ...requestOf(visit, report, range), sort, order };
    const name = `affiliates-${range.start_date}-to-${range.end_date}`;
    return csvDownload(name, this.tables.csv(request));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const vendor_id = visit.user.id;
    const affiliate = await this.affiliateReports.affiliateOf(vendor_id, visit.idIn('id') ?? -1);
    const query = rangeQueryOf(visit);
    const range = await this.rangeOf(visit, query);
    if (range === null) return invalidAffiliatePage(affiliate, query, rangeProblems(query));
    const request = { ...requestOf(visit, query, range), affiliate_id: affiliate.id };
    const [report, terms, products] = await Promise.all([
      this.affiliateReports.report(request),
      this.affiliates.affiliationsWith(vendor_id, affiliate.id),
      this.products.productsOf(vendor_id),
    ]);
    return affiliatePage({ affiliate, query, range, report, terms, products });
  }

  private async rangeOf({ user }: SignedInVisit, query: ReportQuery): Promise<DayRange | null> {
    const viewer = { role: 'vendor', user_id: user.id } as const;
    return rangeOf(query, query.preset === 'all-time' ? await this.reports.allTime(viewer) : null);
  }
}

function requestOf({ user }: SignedInVisit, { attribution }: ReportQuery, range: DayRange) {
  return { vendor_id: user.id, ...range, attribution };
}
