import { Injectable } from '@nestjs/common';
import { rowsByKeys } from '../../database/bulk.js';
import { Database } from '../../database/database.js';

const SELECT = 'SELECT vendor_id, revision FROM ledger_revisions';
const KEY = ['vendor_id'] as const;

/** The reads of revisions; they are raised where the ledger is written. */
@Injectable()
export class LedgerRevisionsRepository {
  constructor(private readonly database: Database) {}

  /** The revisions of these vendors' ledgers; a vendor who never had a transaction has none. */
  async revisionsOf(vendor_ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const keys = vendor_ids.map((vendor_id) => [vendor_id]);
    return new Map(await rowsByKeys<[number, number]>(this.database, SELECT, KEY, keys));
  }
}
