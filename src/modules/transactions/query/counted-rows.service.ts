import { Injectable } from '@nestjs/common';
import type {
  Counted,
  CountedTransaction,
  PaymentKind,
} from '../../../ledger/reads/counted-transaction.model.js';
import type { Transaction } from '../../../ledger/reads/transaction.model.js';
import { countedOf, type CountedFigure } from '../../../ledger/sums/list-figures.js';
import type { Reader } from '../../../platform/database/database.js';
import { type CountableRow, CountedRowsRepository } from './counted-rows.repository.js';

/** Adds to a vendor's transactions how much of each a figure counts. */
@Injectable()
export class CountedRowsService {
  constructor(private readonly repository: CountedRowsRepository) {}

  async counted<Row extends CountableRow>(
    reader: Reader,
    vendor_id: number,
    rows: readonly Row[],
    figure: CountedFigure,
  ): Promise<(Row & Counted)[]> {
    if (rows.length === 0) return [];
    const arrivals = rows.map(({ arrival }) => arrival);
    const later = new Set(await this.repository.laterPayments(reader, vendor_id, arrivals));
    return rows.map((row) => {
      const payment: PaymentKind = later.has(row.arrival) ? 'rebill' : 'sale';
      return { ...row, payment, in_period: countedOf(row, figure) };
    });
  }

  /** Counts transactions of which only the arrivals are known, by arrival. */
  async byArrival(
    reader: Reader,
    vendor_id: number,
    arrivals: readonly number[],
    figure: CountedFigure,
  ): Promise<ReadonlyMap<number, Counted>> {
    if (arrivals.length === 0) return new Map();
    const rows = await this.repository.amountsOf(reader, vendor_id, arrivals);
    const counted = await this.counted(reader, vendor_id, rows, figure);
    return new Map(counted.map((row) => [row.arrival, row]));
  }

  /** Adds it to batches, which are read one after another. */
  async *batches(
    reader: Reader,
    vendor_id: number,
    batches: AsyncIterable<readonly Transaction[]>,
    figure: CountedFigure,
  ): AsyncGenerator<readonly CountedTransaction[]> {
    for await (const batch of batches) yield await this.counted(reader, vendor_id, batch, figure);
  }
}
