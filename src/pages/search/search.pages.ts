import { Injectable } from '@nestjs/common';
import { MAX_SEARCHED } from '../../modules/reports/search/search.model.js';
import { SearchService } from '../../modules/reports/search/search.service.js';
import { ROLES, type Role } from '../reports/report-query.js';
import type { PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { emptySearchPage, searchPage, tooLongPage } from './search.view.js';

/**
 * Serves the search of the header. Its text is personal data and appears in no log, because logs
 * contain only paths.
 */
@Injectable()
export class SearchPages implements Pages {
  constructor(private readonly sales: SearchService) {}

  addTo(routes: PageRoutes): void {
    routes.get('/search', (visit) => this.search(visit), { operation: 'page.search' });
  }

  private async search(visit: SignedInVisit): Promise<PageAnswer> {
    const text = visit.query('q').trim();
    if (text === '') return emptySearchPage();
    if (text.length > MAX_SEARCHED) return tooLongPage();
    const role = ROLES.find((each) => each === visit.query('as'));
    const cursor = visit.query('cursor');
    const results = await Promise.all(
      // A further page shows the results of one role only.
      (role === undefined ? ROLES : [role]).map((each) =>
        this.resultOf(visit, each, text, cursor === '' || role === undefined ? null : cursor),
      ),
    );
    // Affiliates do not see customers.
    const reads = results
      .filter((result) => result.role === 'vendor')
      .flatMap(({ page }) => [...page.byId, ...page.byEmail])
      .map(({ transaction_id }) => ({ record_key: transaction_id, records: 1 }));
    return { ...searchPage(text, results), reads };
  }

  private async resultOf(visit: SignedInVisit, role: Role, text: string, cursor: string | null) {
    const viewer = { role, user_id: visit.user.id };
    const page = await this.sales.search({ viewer, text, cursor });
    return { role, page };
  }
}
