import { Injectable } from '@nestjs/common';
import { PieceTurns } from '../../../platform/limits/memory/piece-turns.js';
import { dateTimeOfNumber, endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { Reader } from '../../../platform/database/database.js';
import {
  type ListedTransaction,
  saleNumberOf,
} from '../../../ledger/reads/rendered-transaction.model.js';
import type { ListCriteria, Transaction } from '../../../ledger/reads/transaction.model.js';
import { ListCountsRepository } from './list-counts.repository.js';
import type { DayCount } from './page-plan.js';
import { rowsInPieces, type FoundRows } from '../../../ledger/reads/row-sizes.model.js';
import { TransactionsRepository, type WalkStep } from './transactions.repository.js';

/** Number of transactions in a batch. On SQLite, other requests wait for a batch. */
const BATCH = 500;

type Position = WalkStep['after'];

/** Selects a vendor's transactions that were sold in a range of whole days. */
interface WalkCriteria extends Omit<ListCriteria, 'page'> {
  /** True to include transactions that were refunded in the range, as in the list of 3.0. */
  readonly withRefunds: boolean;
}

/** Provides a whole list, in its order, from one state of the ledger. */
export interface WalkedTransactions {
  /** Yields the transactions in batches. */
  listed(): AsyncGenerator<readonly ListedTransaction[]>;
  columns(): AsyncGenerator<readonly Transaction[]>;
}

export interface TransactionWalk extends WalkedTransactions {
  readonly count: number;
}

/** Walks through whole lists of transactions, with one batch of them in memory. */
@Injectable()
export class TransactionWalkService {
  constructor(
    private readonly repository: TransactionsRepository,
    private readonly counts: ListCountsRepository,
    private readonly turns: PieceTurns,
  ) {}

  /**
   * Returns the whole list, in the order of 3.0.
   * @param snapshot the snapshot from which all batches are read
   */
  async walk(snapshot: Reader, criteria: WalkCriteria): Promise<TransactionWalk> {
    const { sold } = await this.counts.countsOf(criteria, snapshot);
    const refunded = criteria.withRefunds
      ? (await this.counts.refundedDaysOf(criteria, snapshot)).days
      : [];
    const count = [...sold, ...refunded].reduce((sum, day) => sum + day.count, 0);
    const parts = partsOf(criteria, refunded);
    const { repository } = this;
    const turn = () => this.turns.next(criteria.vendor_id);
    return {
      count,
      listed: () =>
        batchesOf<ListedTransaction>(parts, {
          turn,
          next: (step) => repository.listedAfter(snapshot, step),
          some: (arrivals) => repository.transactionsByArrivals(criteria, arrivals, snapshot),
          positionOf: ({ rendered, arrival }) => ({
            sale_date: dateTimeOfNumber(saleNumberOf(rendered)),
            arrival,
          }),
        }),
      columns: () =>
        batchesOf<Transaction>(parts, {
          turn,
          next: (step) => repository.columnsAfter(snapshot, step),
          some: (arrivals) => repository.columnsByArrivals(criteria, arrivals, snapshot),
          positionOf: ({ sale_date, arrival }) => ({ sale_date, arrival }),
        }),
    };
  }
}

/**
 * Returns the parts of the list: the sales, and the refunds of earlier sales, which are older
 * throughout (page-plan.ts).
 */
function partsOf(criteria: WalkCriteria, refunded: readonly DayCount[]): WalkStep[] {
  const { vendor_id, isMasked, start_date, end_date } = criteria;
  const common = { vendor_id, isMasked, take: BATCH };
  // This position is before all transactions of the last second.
  const newest = { sale_date: endOfDay(end_date), arrival: Number.MAX_SAFE_INTEGER };
  const sold = { ...common, from: start_date, after: newest, refunded: null };
  const oldest = refunded.at(-1)?.day;
  if (oldest === undefined) return [sold];
  const refunds = { from: start_date, to: end_date };
  const ofEarlier = { sale_date: startOfDay(start_date), arrival: 0 };
  return [sold, { ...common, from: oldest, after: ofEarlier, refunded: refunds }];
}

/** Defines how a walk reads its rows. */
interface WalkReads<Row> {
  readonly turn: () => Promise<void>;
  readonly next: (step: WalkStep) => Promise<FoundRows<Row>>;
  readonly some: (arrivals: readonly number[]) => Promise<readonly Row[]>;
  readonly positionOf: (row: Row) => Position;
}

/** Yields the batches of the parts. It reads the next batch while the caller processes one. */
async function* batchesOf<Row extends { readonly arrival: number }>(
  parts: readonly WalkStep[],
  { turn, next, some, positionOf }: WalkReads<Row>,
): AsyncGenerator<readonly Row[]> {
  const inTurn = async <Read>(read: () => Promise<Read>) => {
    await turn();
    return read();
  };
  for (const part of parts) {
    let reading: Promise<FoundRows<Row>> | null = inTurn(() => next(part));
    while (reading !== null) {
      const found: FoundRows<Row> = await reading;
      const after: Position | null =
        found.rows.length === part.take ? positionOfLast(found, positionOf) : null;
      reading = after && inTurn(() => next({ ...part, after }));
      // If the caller stops before it needs the next batch, nothing else handles a failure of its
      // read.
      reading?.catch(() => undefined);
      if (found.isLarge) {
        yield* rowsInPieces(found.rows, (arrivals) => inTurn(() => some(arrivals)));
      } else if (found.rows.length > 0) yield found.rows;
    }
  }
}

function positionOfLast<Row>(
  found: FoundRows<Row>,
  positionOf: (row: Row) => Position,
): Position | null {
  if (found.isLarge) return found.rows.at(-1) ?? null;
  const last = found.rows.at(-1);
  return last === undefined ? null : positionOf(last);
}
