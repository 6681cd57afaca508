import { Injectable } from '@nestjs/common';
import {
  ChangeSource,
  type ChangesRange,
  type ContentCriteria,
  type SizeCriteria,
} from '../../../ledger/changes/change-source.model.js';
import { transactionReasons } from '../../../ledger/changes/reasons/transaction-reasons.js';
import { TransactionsRepository } from '../list/transactions.repository.js';
import { RenderedResults } from '../../../ledger/reads/rendered-results.model.js';

/**
 * Provides transactions to the feed of changes, in the form of API 3.0. Their key is the arrival.
 */
@Injectable()
export class TransactionChangeSource extends ChangeSource {
  readonly kind = 'transaction';

  constructor(private readonly transactions: TransactionsRepository) {
    super();
  }

  override async contentsOf({ reader, record_keys, ...criteria }: ContentCriteria) {
    const arrivals = record_keys.map(Number);
    const listed = await this.transactions.transactionsByArrivals(criteria, arrivals, reader);
    return new Map(
      listed.map((transaction) => [
        String(transaction.arrival),
        new RenderedResults([transaction]).toString(),
      ]),
    );
  }

  override async sizesOf({ reader, vendor_id, record_keys }: SizeCriteria) {
    const sizes = await this.transactions.sizesOf(vendor_id, record_keys.map(Number), reader);
    return new Map([...sizes].map(([arrival, bytes]) => [String(arrival), bytes]));
  }

  override async positionsAfter(range: ChangesRange) {
    const positions = await this.transactions.positionsAfter(range);
    return positions.map(({ arrival, place: sequence, reasons: text, ...position }) => {
      const { changed_at, product_id } = position;
      const reasons = transactionReasons(text, position, sequence);
      return { record_key: String(arrival), sequence, changed_at, product_id, reasons };
    });
  }
}
