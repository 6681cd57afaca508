import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import type { Reader } from '../../../platform/database/database.js';
import { RecurringListsService, type RecurringOverview } from '../../recurring/index.js';
import { AffiliateCounts, type AffiliateFigures } from '../affiliates/affiliate-figures.model.js';
import { AffiliateSumsRepository } from '../affiliates/affiliate-sums.repository.js';
import type { CohortPage, CohortRequest } from '../cohorts/cohort.model.js';
import { CohortsService } from '../cohorts/cohorts.service.js';
import { ItemNamesService } from '../item-names.service.js';
import type { LedgerState } from './figure.model.js';
import { FigureBounds } from './figure-reads.service.js';

/** Unpaid commissions in cents: by the age of the sales in days, and by whether they are due. */
export type Unpaid = Pick<AffiliateFigures, 'unpaid' | 'unpaid_total' | 'due_now' | 'on_hold'>;

export interface UnpaidItem extends Unpaid {
  readonly affiliate_id: number;
  readonly name: string;
}

/** A report with the state of the ledger that it was read from. */
type InState<Report> = Report & { readonly state: LedgerState };

/** Reads the reports of a vendor that have a form of their own, each from one state. */
@Injectable()
export class KeptReportsService {
  constructor(
    private readonly affiliates: AffiliateSumsRepository,
    private readonly recurring: RecurringListsService,
    private readonly cohortReports: CohortsService,
    private readonly names: ItemNamesService,
    private readonly bounds: FigureBounds,
    private readonly feed: ChangesFeedService,
    private readonly ledgers: LedgerReadsService,
  ) {}

  /**
   * Returns the affiliates with unpaid commissions, by id.
   * @throws ApiError invalid_parameters if there are too many
   */
  async unpaid(
    vendor_id: number,
    today: string,
  ): Promise<InState<{ readonly items: readonly UnpaidItem[]; readonly total: Unpaid }>> {
    const { unpaid, state } = await this.inState(vendor_id, async (reader) => ({
      unpaid: await this.affiliates.unpaid(reader, vendor_id, today),
    }));
    const counts = new AffiliateCounts();
    counts.addUnpaid(unpaid);
    const ids = counts.affiliate_ids.sort((left, right) => left - right);
    if (ids.length > this.bounds.items) {
      const detail = `The answer would have ${ids.length} items; at most ${this.bounds.items} are returned.`;
      throw new ApiError('invalid_parameters', detail);
    }
    const names = await this.names.namesOf({ user_id: vendor_id }, 'affiliate', ids);
    const items = ids.map((affiliate_id) => ({
      affiliate_id,
      name: names.get(affiliate_id) ?? '',
      ...counts.figuresOf(affiliate_id),
    }));
    return { items, total: counts.total(), state };
  }

  renewals(vendor_id: number): Promise<InState<RecurringOverview>> {
    return this.inState(vendor_id, (reader) => this.recurring.overview(vendor_id, reader));
  }

  cohorts(request: CohortRequest): Promise<InState<CohortPage>> {
    return this.inState(request.vendor_id, (reader) => this.cohortReports.pageIn(reader, request));
  }

  private inState<Report extends object>(
    vendor_id: number,
    read: (reader: Reader) => Promise<Report>,
  ): Promise<InState<Report>> {
    return this.feed.readCurrent(vendor_id, async (reader, cursor) => ({
      ...(await read(reader)),
      state: { cursor, revision: await this.ledgers.revisionIn(reader, vendor_id) },
    }));
  }
}
