import { Injectable } from '@nestjs/common';
import type { ChangesRange } from '../../changes/change-source.model.js';

/** Describes the position of a transaction in the vendor's feed of changes. */
export interface TransactionPosition {
  readonly arrival: number;
  readonly place: number;
  readonly changed_at: string;
}

const INDEX = 'transactions_by_sequence';
/**
 * Selects transactions that were last written before the feed of changes existed. They come before
 * all others, in the order of arrival.
 */
const EARLY = `SELECT arrival, arrival AS place, COALESCE(refund_date, sale_date) AS changed_at
  FROM transactions /*! FORCE INDEX (${INDEX}) */
  WHERE vendor_id = ? AND sequence IS NULL AND arrival > ? ORDER BY arrival LIMIT ?`;
const LATE = `SELECT arrival, sequence AS place, changed_at
  FROM transactions /*! FORCE INDEX (${INDEX}) */
  WHERE vendor_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`;
const AFTER = `SELECT * FROM (${EARLY}) early UNION ALL SELECT * FROM (${LATE}) late`;

/**
 * Finds the positions of transactions in the feed of changes. The SQL is hand-written: it reads two
 * ranges of one index, so that each page of the feed costs the same. The index is named, because
 * otherwise MariaDB may walk through the primary key.
 */
@Injectable()
export class ChangedTransactionsRepository {
  /** Returns the next changes in no particular order, up to twice the limit. */
  positionsAfter({
    reader,
    vendor_id,
    after,
    limit,
  }: ChangesRange): Promise<TransactionPosition[]> {
    const range = [vendor_id, after, limit];
    return reader.select<TransactionPosition>(AFTER, [...range, ...range]);
  }
}
