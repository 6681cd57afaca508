import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../../database/bulk.js';
import { Database, type Reader } from '../../../database/database.js';
import type { StoredRevision } from '../rollups/ledger-count.entity.js';

type RevisionRow = Pick<StoredRevision, 'vendor_id' | 'revision'>;

const SELECT = 'SELECT vendor_id, revision FROM ledger_revisions';
const KEY = ['vendor_id'] as const;

/** The reads of revisions; they are raised where the ledger is written. */
@Injectable()
export class LedgerRevisionsRepository {
  constructor(private readonly database: Database) {}

  /** The revisions of these vendors' ledgers; a vendor who never had a transaction has none. */
  async revisionsOf(
    vendor_ids: readonly number[],
    reader: Reader = this.database,
  ): Promise<ReadonlyMap<number, number>> {
    const keys = vendor_ids.map((vendor_id) => [vendor_id]);
    const rows = await selectByKeys<RevisionRow>(reader, SELECT, KEY, keys);
    return new Map(rows.map(({ vendor_id, revision }) => [vendor_id, revision]));
  }

  /** The revision that a replica has come to; 0 where there never was a transaction. */
  async revisionAt(replica: Reader, vendor_id: number): Promise<number> {
    return (await this.revisionsOf([vendor_id], replica)).get(vendor_id) ?? 0;
  }
}
