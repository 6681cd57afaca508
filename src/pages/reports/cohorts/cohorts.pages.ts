import { Injectable } from '@nestjs/common';
import { CohortsService } from '../../../modules/reports/cohorts/cohorts.service.js';
import { csvDownload, type PageAnswer } from '../../http/page-answer.js';
import type { PageRoutes, Pages } from '../../http/page-router.js';
import type { SignedInVisit } from '../../session/visit.js';
import { todayInUtc } from '../report-query.js';
import { cohortsPage } from './cohorts.view.js';
import { cohortQueryOf, cohortRequestOf } from './cohort-query.js';

/** Serves the page with the refunds and chargebacks of each month's sales. */
@Injectable()
export class CohortPages implements Pages {
  constructor(private readonly cohorts: CohortsService) {}

  addTo(routes: PageRoutes): void {
    routes.get('/reports/cohorts', (visit) => this.page(visit));
    routes.get('/reports/cohorts.csv', (visit) => this.download(visit));
  }

  private async page(visit: SignedInVisit): Promise<PageAnswer> {
    const today = todayInUtc();
    const query = cohortQueryOf(visit, today);
    const request = cohortRequestOf(query, visit.user.id, today);
    const page = await this.cohorts.page(request);
    const items = await this.cohorts.items(request, page.cohorts.length > 0);
    return cohortsPage({ query, page, items });
  }

  /** Downloads all months of sales, not only those of a page. */
  private download(visit: SignedInVisit): PageAnswer {
    const today = todayInUtc();
    const query = cohortQueryOf(visit, today);
    const chunks = this.cohorts.csv(cohortRequestOf(query, visit.user.id, today), query.measure);
    const name = `${query.returns === 'both' ? 'returns' : query.returns}-by-month-of-sale`;
    return csvDownload(name, chunks);
  }
}
