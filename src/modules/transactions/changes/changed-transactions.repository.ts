import { Injectable } from '@nestjs/common';
import type { ChangesRange } from '../../changes/change-source.model.js';

/** Of a transaction, in the vendor's feed of changes. */
export interface TransactionPosition {
  readonly arrival: number;
  readonly place: number;
  readonly changed_at: string;
}

const INDEX = 'transactions_by_sequence';
/** Not written since the feed of changes exists: in the order of arrival, before all others. */
const EARLY = `SELECT arrival, arrival AS place, COALESCE(refund_date, sale_date) AS changed_at
  FROM transactions /*! FORCE INDEX (${INDEX}) */
  WHERE vendor_id = ? AND sequence IS NULL AND arrival > ? ORDER BY arrival LIMIT ?`;
const LATE = `SELECT arrival, sequence AS place, changed_at
  FROM transactions /*! FORCE INDEX (${INDEX}) */
  WHERE vendor_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`;
const AFTER = `SELECT * FROM (${EARLY}) early UNION ALL SELECT * FROM (${LATE}) late`;

/**
 * Where transactions stand in the feed of changes. By hand: two ranges of one index, so that each page of the
 * feed costs the same; without its name MariaDB may walk through the primary key.
 */
@Injectable()
export class ChangedTransactionsRepository {
  /** The next changes, up to twice the limit, in no particular order. */
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
