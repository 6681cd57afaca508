import { Injectable } from '@nestjs/common';
import { rowsInPieces, type FoundRows } from '../../../ledger/reads/row-sizes.model.js';
import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import type { Reader } from '../../../platform/database/database.js';
import { PieceTurns } from '../../../platform/limits/memory/piece-turns.js';
import type { TransactionWalk } from '../list/transaction-walk.service.js';
import { TransactionsRepository } from '../list/transactions.repository.js';
import { QueryKeysRepository } from './query-keys.repository.js';
import { QueryPages } from './query-pages.js';
import type { QueryCursor, QueryPage, TransactionsQuery } from './query.model.js';

/** Number of transactions in a batch. On SQLite, other requests wait for a batch. */
const BATCH = 500;

/** Defines how a walk reads the rows of a batch. */
interface BatchReads<Row> {
  readonly rows: (arrivals: readonly number[]) => Promise<FoundRows<Row>>;
  readonly some: (arrivals: readonly number[]) => Promise<readonly Row[]>;
}

/** Walks through all transactions of a query, with one batch of them in memory. */
@Injectable()
export class QueryWalkService {
  constructor(
    private readonly pages: QueryPages,
    private readonly keys: QueryKeysRepository,
    private readonly transactions: TransactionsRepository,
    private readonly turns: PieceTurns,
  ) {}

  /**
   * Returns the transactions of a vendor's query, newest sale first, with their exact number.
   * @param snapshot the snapshot from which all batches are read
   * @throws ApiError invalid_parameters if counting takes too long
   */
  async walk(
    snapshot: Reader,
    query: TransactionsQuery,
    isMasked: boolean,
  ): Promise<TransactionWalk> {
    const vendor_id = query.viewer.user_id;
    const of = { vendor_id, isMasked };
    const turn = () => this.turns.next(vendor_id);
    const { transactions } = this;
    return {
      count: await this.pages.countAll(snapshot, query, turn),
      listed: () =>
        this.batches(snapshot, query, {
          rows: (arrivals) => transactions.listedOn(snapshot, of, arrivals),
          some: (arrivals) => transactions.transactionsByArrivals(of, arrivals, snapshot),
        }),
      columns: () =>
        this.batches(snapshot, query, {
          rows: (arrivals) => transactions.columnsOn(snapshot, of, arrivals),
          some: (arrivals) => transactions.columnsByArrivals(of, arrivals, snapshot),
        }),
    };
  }

  private async *batches<Row extends { readonly arrival: number }>(
    snapshot: Reader,
    query: TransactionsQuery,
    { rows, some }: BatchReads<Row>,
  ): AsyncGenerator<readonly Row[]> {
    const turn = () => this.turns.next(query.viewer.user_id);
    let cursor: QueryCursor | null = null;
    do {
      await turn();
      const page: QueryPage<LedgerPosition> = await this.pages.page(
        snapshot,
        query,
        { cursor, size: BATCH },
        (keys) => this.keys.positions(snapshot, keys),
      );
      cursor = page.next;
      if (page.rows.length === 0) continue;
      const found = await rows(page.rows.map(({ arrival }) => arrival));
      if (!found.isLarge) {
        yield found.rows;
        continue;
      }
      yield* rowsInPieces(found.rows, async (arrivals) => {
        await turn();
        return some(arrivals);
      });
    } while (cursor !== null);
  }
}
