import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../database/database.js';
import type {
  Attribution,
  DayRange,
  DaySums,
  Dimension,
  ItemSums,
  PartSums,
  SalesFilter,
  SumPart,
  Viewer,
} from './report-sums.model.js';
import type { ReportCriteria } from '../lists/report-transactions.model.js';
import { LedgerReadsService } from '../../transactions/revisions/ledger-reads.service.js';
import { ReportSumsRepository } from './report-sums.repository.js';

/** What a user sold, as a vendor or as an affiliate: the kept sums that reports are made of. */
@Injectable()
export class ReportSumsService {
  constructor(
    private readonly repository: ReportSumsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /** Day by day, one for each part that has a transaction on the day. */
  daySums(viewer: Viewer, range: DayRange, attribution: Attribution): Promise<DaySums[]> {
    return this.reads.readFor(viewer, (reader) =>
      this.repository.daySums(reader, viewer, range, attribution),
    );
  }

  /** The sums of the items that were sold for the most, in the order of their gross, the most first. */
  async topItems(
    viewer: Viewer,
    range: DayRange,
    attribution: Attribution,
    by: Dimension,
    most: number,
  ): Promise<{ readonly item_ids: readonly number[]; readonly sums: readonly ItemSums[] }> {
    const { repository } = this;
    return this.reads.readFor(viewer, async (reader) => {
      const item_ids = await repository.topItems(reader, viewer, range, by, most);
      const sums = await repository.itemSums(reader, viewer, range, attribution, by, item_ids);
      return { item_ids, sums };
    });
  }

  /**
   * How many transactions a list holds; null where the sums don't tell: those sold in a range or
   * refunded in it, of a part of what was sold.
   */
  countOf(criteria: ReportCriteria): Promise<number | null> {
    return this.reads.readFor(criteria.viewer, (reader) => this.countBy(reader, criteria));
  }

  /** The first and the last day with anything, or null where there is none. */
  allTime(viewer: Viewer): Promise<DayRange | null> {
    return this.reads.readFor(viewer, (reader) => this.repository.firstAndLastDay(reader, viewer));
  }

  private async countBy(reader: Reader, criteria: ReportCriteria): Promise<number | null> {
    const { viewer, attribution, kind, filter } = criteria;
    const sums = await this.sumsOf(reader, viewer, criteria, attribution, filter);
    const countOf = (parts: readonly SumPart[]) =>
      sums
        .filter(({ part }) => parts.includes(part))
        .reduce((total, { transactions }) => total + transactions, 0);
    if (kind !== 'all') return countOf([kind]);
    const sold = countOf(['sales', 'pending']);
    if (attribution === 'sale') return sold;
    if (viewer.role === 'affiliate' || Object.keys(filter).length > 0) return null;
    return sold + (await this.repository.refundsOfEarlierSales(reader, viewer.user_id, criteria));
  }

  private sumsOf(
    reader: Reader,
    viewer: Viewer,
    range: DayRange,
    attribution: Attribution,
    filter: SalesFilter,
  ): Promise<readonly PartSums[]> {
    const { product_id, affiliate_id } = filter;
    // A vendor's product has sums of its months, which are far fewer than those of its days.
    return viewer.role === 'vendor' && product_id !== undefined && affiliate_id === undefined
      ? this.repository.itemSums(reader, viewer, range, attribution, 'product', [product_id])
      : this.repository.daySums(reader, viewer, range, attribution, filter);
  }
}
