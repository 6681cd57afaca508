import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** Vendors a statement: few sizes, so that few statements are prepared; the rest is filled up. */
const SIZES = [1, 8, 64] as const;
const MOST = 64;

/** The reads of revisions; they are raised where the ledger is written. */
@Injectable()
export class LedgerRevisionsRepository {
  constructor(private readonly database: Database) {}

  /** The revisions of these vendors' ledgers; a vendor who never had a transaction has none. */
  async revisionsOf(vendor_ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const revisions = new Map<number, number>();
    for (let at = 0; at < vendor_ids.length; at += MOST) {
      const some = vendor_ids.slice(at, at + MOST);
      const size = SIZES.find((candidate) => candidate >= some.length) ?? MOST;
      const sql = `SELECT vendor_id, revision FROM ledger_revisions
        WHERE vendor_id IN (${Array.from({ length: size }, () => '?').join(', ')})`;
      const values = Array.from({ length: size }, (_, index) => some[index] ?? some[0] ?? 0);
      for (const [vendor_id, revision] of await this.database.rows<[number, number]>(sql, values)) {
        revisions.set(vendor_id, revision);
      }
    }
    return revisions;
  }
}
