import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { dateTimeOfNumber, endOfDay, startOfDay } from '../../../common/time.js';
import type { Reader } from '../../../database/database.js';
import { saleNumberOf } from '../rendered/rendered-transaction.model.js';
import { ListCountsRepository } from './list-counts.repository.js';
import type { DayCount } from './page-plan.js';
import type { TransactionWalk, WalkCriteria, WalkStep } from './transaction-walk.model.js';
import { TransactionsRepository } from './transactions.repository.js';

/** Other requests wait for a batch on SQLite. */
const BATCH = 500;

type Position = WalkStep['after'];

/** Walks through whole lists of transactions, with one batch of them in memory. */
@Injectable()
export class TransactionWalkService {
  constructor(
    private readonly repository: TransactionsRepository,
    private readonly counts: ListCountsRepository,
  ) {}

  /**
   * A list in the order of 3.0, all pages of it.
   * @param snapshot that all batches are read from
   */
  async walk(snapshot: Reader, criteria: WalkCriteria): Promise<TransactionWalk> {
    const { sold, refunded } = await this.counts.countsOf(criteria, snapshot);
    const refunds = criteria.withRefunds ? refunded : [];
    const count = [...sold, ...refunds].reduce((sum, day) => sum + day.count, 0);
    const parts = partsOf(criteria, refunds);
    const { repository } = this;
    return {
      count,
      listed: () =>
        batchesOf(
          parts,
          (step) => repository.listedAfter(snapshot, step),
          ({ rendered, arrival }) => ({
            sale_date: dateTimeOfNumber(saleNumberOf(rendered)),
            arrival,
          }),
        ),
      columns: () =>
        batchesOf(
          parts,
          (step) => repository.columnsAfter(snapshot, step),
          ({ sale_date, arrival }) => ({ sale_date, arrival }),
        ),
    };
  }
}

/** The sales, and the refunds of earlier sales, which are older throughout (page-plan.ts). */
function partsOf(criteria: WalkCriteria, refunded: readonly DayCount[]): WalkStep[] {
  const { vendor_id, isMasked, start_date, end_date } = criteria;
  const common = { vendor_id, isMasked, take: BATCH };
  const sold = { ...common, from: start_date, after: before(endOfDay(end_date)), refunded: null };
  const oldest = refunded.at(-1)?.day;
  if (oldest === undefined) return [sold];
  const refunds = { from: start_date, to: end_date };
  const ofEarlier = { sale_date: startOfDay(start_date), arrival: 0 };
  return [sold, { ...common, from: oldest, after: ofEarlier, refunded: refunds }];
}

/** Before all transactions of this second and those of earlier ones. */
function before(sale_date: string): Position {
  return { sale_date, arrival: Number.MAX_SAFE_INTEGER };
}

/** The next batch is read while the caller works on one. */
async function* batchesOf<Row>(
  parts: readonly WalkStep[],
  read: (step: WalkStep) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): AsyncGenerator<readonly Row[]> {
  for (const part of parts) {
    let next: Promise<Row[]> | null = read(part);
    while (next !== null) {
      const rows: Row[] = await next;
      const last = rows.length === part.take ? rows.at(-1) : undefined;
      next = last === undefined ? null : read({ ...part, after: positionOf(last) });
      // If the caller ends before it is needed, nobody else handles its failure.
      next?.catch(() => undefined);
      if (rows.length > 0) yield rows;
      await yieldToOthers();
    }
  }
}
