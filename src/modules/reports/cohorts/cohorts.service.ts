import { Injectable } from '@nestjs/common';
import { csvFile } from '../../../common/csv.js';
import { endOfMonth, monthOf, monthsAfter } from '../../../common/time.js';
import { LedgerReadsService } from '../../transactions/revisions/ledger-reads.service.js';
import { ItemNamesService } from '../item-names.service.js';
import { ReportSumsRepository } from '../sums/report-sums.repository.js';
import { TopItemsRepository } from '../sums/top-items.repository.js';
import { cohortColumns } from './cohort-columns.js';
import { cohortsOf, undatedIn } from './cohort-sums.js';
import {
  COHORTS_PER_PAGE,
  type Cohort,
  type CohortItem,
  type CohortItems,
  type CohortMeasure,
  type CohortPage,
  type CohortRequest,
} from './cohort.model.js';
import { CohortsRepository } from './cohorts.repository.js';

/** Number of products and of affiliates to choose from: those with the highest gross in a year. */
const CHOICES = 50;
const MONTHS_OF_CHOICES = 12;

/** Reports the share of each month's sales refunded or charged back, by months since the sale. */
@Injectable()
export class CohortsService {
  constructor(
    private readonly repository: CohortsRepository,
    private readonly sums: ReportSumsRepository,
    private readonly topItems: TopItemsRepository,
    private readonly names: ItemNamesService,
    private readonly reads: LedgerReadsService,
  ) {}

  page(request: CohortRequest): Promise<CohortPage> {
    const { vendor_id, until } = request;
    const thisMonth = monthOf(request.today);
    const months = monthsUntil(until);
    return this.reads.read(vendor_id, null, async (reader) => {
      const [sold, returned, days] = await Promise.all([
        this.repository.soldIn(reader, request, months),
        this.repository.returned(reader, request, months),
        this.sums.firstAndLastDay(reader, { role: 'vendor', user_id: vendor_id }),
      ]);
      const older = monthsAfter(until, -COHORTS_PER_PAGE);
      const newer = monthsAfter(until, COHORTS_PER_PAGE);
      return {
        cohorts: cohortsOf(months, { sold, returned }, thisMonth),
        undated: undatedIn(sold),
        older: days !== null && monthOf(days.start_date) <= older ? older : null,
        newer: until < thisMonth ? (newer < thisMonth ? newer : thisMonth) : null,
      };
    });
  }

  /**
   * Returns all months of sales until `until`, newest first, as CSV for a spreadsheet, in chunks of
   * whole records.
   */
  csv(request: CohortRequest, measure: CohortMeasure): AsyncGenerator<string> {
    return csvFile(cohortColumns(measure), 'spreadsheet', this.batches(request));
  }

  private async *batches(request: CohortRequest): AsyncGenerator<readonly Cohort[]> {
    for (let until: string | null = request.until; until !== null;) {
      const page: CohortPage = await this.page({ ...request, until });
      yield page.cohorts;
      until = page.older;
    }
  }

  /**
   * Returns the vendor's products and affiliates with the highest gross in the year until the
   * month, and the requested product or affiliate.
   * @param isKnown false if the requested product or affiliate may have no sale of this vendor; it
   * is left out then, so that its name is not revealed
   */
  async items(request: CohortRequest, isKnown: boolean): Promise<CohortItems> {
    const [products, affiliates] = await Promise.all([
      this.itemsBy('product', request, isKnown),
      this.itemsBy('affiliate', request, isKnown),
    ]);
    return { products, affiliates };
  }

  private async itemsBy(
    by: 'product' | 'affiliate',
    { vendor_id, until, scope }: CohortRequest,
    isKnown: boolean,
  ): Promise<CohortItem[]> {
    const criteria = {
      viewer: { role: 'vendor', user_id: vendor_id },
      start_date: monthsAfter(until, 1 - MONTHS_OF_CHOICES),
      end_date: endOfMonth(until),
    } as const;
    const ids = await this.reads.read(vendor_id, null, (reader) =>
      this.topItems.idsOf(reader, criteria, by, CHOICES),
    );
    const chosen = isKnown && scope.series === by ? [scope.id] : [];
    const all = [...new Set([...ids, ...chosen])];
    const names = await this.names.namesOf(criteria.viewer, by, all);
    return all.map((id) => ({ id, name: names.get(id) ?? String(id) }));
  }
}

/** Returns the months of a page, newest first. */
function monthsUntil(until: string): string[] {
  return Array.from({ length: COHORTS_PER_PAGE }, (_, ago) => monthsAfter(until, -ago));
}
