import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../database/database.js';
import { LedgerReadsService } from '../../transactions/revisions/ledger-reads.service.js';
import { ReportSumsRepository } from '../sums/report-sums.repository.js';
import { daysBehind, rangesOf, indexRangesOf } from './index-ranges.js';
import type {
  AffiliateTransaction,
  Placed,
  ReportCriteria,
  ReportCursor,
  ReportPage,
} from './report-transactions.model.js';
import {
  ReportTransactionsRepository,
  type PageKeys,
  type IndexRangeOfDays,
} from './report-transactions.repository.js';
import type { Transaction } from '../../transactions/transaction.model.js';

/** The transactions behind the figures of a report, newest sale first, ties newest arrival first. */
@Injectable()
export class ReportTransactionsService {
  constructor(
    private readonly sums: ReportSumsRepository,
    private readonly repository: ReportTransactionsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /** @param criteria of a vendor's; the cursor is null for the first page */
  pageOfVendor(
    criteria: ReportCriteria,
    cursor: ReportCursor | null,
    size: number,
  ): Promise<ReportPage<Transaction>> {
    return this.page(criteria, cursor, size, (reader, keys) =>
      this.repository.pageOfVendor(reader, keys),
    );
  }

  /** @param criteria of an affiliate's; the cursor is null for the first page */
  pageOfAffiliate(
    criteria: ReportCriteria,
    cursor: ReportCursor | null,
    size: number,
  ): Promise<ReportPage<AffiliateTransaction>> {
    return this.page(criteria, cursor, size, (reader, keys) =>
      this.repository.pageOfAffiliate(reader, keys),
    );
  }

  private page<Row>(
    criteria: ReportCriteria,
    cursor: ReportCursor | null,
    size: number,
    read: (reader: Reader, keys: PageKeys) => Promise<Placed<Row>[]>,
  ): Promise<ReportPage<Row>> {
    const { viewer, filter } = criteria;
    // One more tells whether there is another page.
    const take = size + 1;
    return this.reads.readFor(viewer, async (reader) => {
      const stretches = await this.withDays(reader, criteria, cursor, take);
      if (stretches.length === 0) return { rows: [], next: null, previous: null };
      const found = await read(reader, { viewer, filter, stretches, cursor, take });
      return pageOf(found, cursor, size);
    });
  }

  /** Where few rows of a stretch count, the kept sums tell the days on which there are any. */
  private async withDays(
    reader: Reader,
    criteria: ReportCriteria,
    cursor: ReportCursor | null,
    take: number,
  ): Promise<IndexRangeOfDays[]> {
    const { viewer, filter } = criteria;
    const order = cursor?.direction === 'before' ? 'ASC' : 'DESC';
    const stretches: IndexRangeOfDays[] = [];
    for (const stretch of indexRangesOf(criteria)) {
      const range = daysBehind(stretch.range, cursor);
      if (range.start_date > range.end_date) continue;
      // Each of these days has a row, but for the cursor's own, which may have none left.
      const days =
        stretch.kinds === null
          ? [range]
          : rangesOf(
              await this.sums.daysWith(reader, viewer, range, stretch.kinds, filter, {
                order,
                most: take + 1,
              }),
            );
      if (days.length > 0) stretches.push({ ...stretch, days });
    }
    return stretches;
  }
}

function pageOf<Row>(
  found: readonly Placed<Row>[],
  cursor: ReportCursor | null,
  size: number,
): ReportPage<Row> {
  const isBackwards = cursor?.direction === 'before';
  const rows = isBackwards ? found.slice(-size) : found.slice(0, size);
  const hasMore = found.length > size;
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = isBackwards || hasMore;
  const hasPrevious = isBackwards ? hasMore : cursor !== null;
  return {
    rows,
    next: last !== undefined && hasNext ? { direction: 'after', position: positionOf(last) } : null,
    previous:
      first !== undefined && hasPrevious
        ? { direction: 'before', position: positionOf(first) }
        : null,
  };
}

function positionOf({ sale_date, arrival }: Placed<unknown>) {
  return { sale_date, arrival };
}
