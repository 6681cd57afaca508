import { Injectable } from '@nestjs/common';
import {
  ChangeSource,
  type ChangesRange,
  type ContentCriteria,
  type SizeCriteria,
} from '../../../ledger/changes/change-source.model.js';
import { TransactionsService } from '../list/transactions.service.js';
import { RenderedResults } from '../../../ledger/reads/rendered-results.model.js';

/**
 * Provides transactions to the feed of changes, in the form of API 3.0. Their key is the arrival.
 */
@Injectable()
export class TransactionChangeSource extends ChangeSource {
  readonly kind = 'transaction';

  constructor(private readonly transactions: TransactionsService) {
    super();
  }

  override async contentsOf({ reader, record_keys, ...criteria }: ContentCriteria) {
    const listed = await this.transactions.byArrivals(reader, criteria, record_keys.map(Number));
    return new Map(
      listed.map((transaction) => [
        String(transaction.arrival),
        new RenderedResults([transaction]).toString(),
      ]),
    );
  }

  override async sizesOf({ reader, vendor_id, record_keys }: SizeCriteria) {
    const sizes = await this.transactions.sizesOf(reader, vendor_id, record_keys.map(Number));
    return new Map([...sizes].map(([arrival, bytes]) => [String(arrival), bytes]));
  }

  override async positionsAfter(range: ChangesRange) {
    const positions = await this.transactions.changesAfter(range);
    return positions.map(({ arrival, place, changed_at }) => {
      return { record_key: String(arrival), sequence: place, changed_at };
    });
  }
}
