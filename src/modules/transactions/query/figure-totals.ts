import { Injectable } from '@nestjs/common';
import type { ListFigure } from '../../../ledger/sums/list-figures.js';
import type { Reader } from '../../../platform/database/database.js';
import type { TransactionsQuery } from './query.model.js';

/** Returns the figure of all transactions of a query, in cents; null if no kept sums serve it. */
export type TotalOf = (
  reader: Reader,
  query: TransactionsQuery,
  figure: ListFigure,
) => Promise<bigint | null>;

/** Finds the figures of whole queries. The feature that reads figures from kept sums fills it. */
@Injectable()
export class FigureTotals {
  private find: TotalOf = () => Promise.resolve(null);

  /** Called once, when the service starts. */
  servedBy(find: TotalOf): void {
    this.find = find;
  }

  totalOf(...query: Parameters<TotalOf>): Promise<bigint | null> {
    return this.find(...query);
  }
}
