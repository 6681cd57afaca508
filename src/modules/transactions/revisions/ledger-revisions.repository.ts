import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../../database/bulk.js';
import { Database, type Reader } from '../../../database/database.js';
import type { StoredRevision } from './ledger-revision.entity.js';

type RevisionRow = Pick<StoredRevision, 'vendor_id' | 'revision'>;

const SELECT = 'SELECT vendor_id, revision FROM ledger_revisions';
const KEY = ['vendor_id'] as const;

/**
 * Reads revisions; ledger-locks.repository.ts raises them. The SQL is hand-written, because every
 * conditional request runs this statement.
 */
@Injectable()
export class LedgerRevisionsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the revisions of these vendors' ledgers. A vendor without transactions has none. */
  async revisionsOf(
    vendor_ids: readonly number[],
    reader: Reader = this.database,
  ): Promise<ReadonlyMap<number, number>> {
    const keys = vendor_ids.map((vendor_id) => [vendor_id]);
    const rows = await selectByKeys<RevisionRow>(reader, SELECT, KEY, keys);
    return new Map(rows.map(({ vendor_id, revision }) => [vendor_id, revision]));
  }
}
