import { Injectable } from '@nestjs/common';
import type { Session } from '../../../platform/database/database.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import { BY_OPERATOR } from '../../../platform/values/author.js';
import { RecordBatches } from '../batches/record-batches.js';
import { resultOf, type RecordResult } from './incoming.model.js';

/** The batch is larger than any call needs, so each call writes one batch. */
const ONE_BATCH = { lines: 10_000, bytes: 64 * 1024 * 1024 };

/** Applies the records that were read from an upstream, with the rights of a source of its vendor. */
@Injectable()
export class UpstreamRecordsService {
  constructor(private readonly batches: RecordBatches) {}

  /**
   * Writes the records that are accepted, in the transaction of the session.
   * @param source name of the upstream in the audit log
   * @param records at most some hundreds; each may refer to those before it
   * @returns the result of each record, in order
   */
  async apply(
    session: Session,
    { vendor_id, source }: { readonly vendor_id: number; readonly source: string },
    records: readonly WrittenRecord[],
  ): Promise<RecordResult[]> {
    const batch = this.batches.begin(ONE_BATCH);
    records.forEach((record, index) => {
      batch.read({ line: index + 1, bytes: Buffer.from(JSON.stringify(record)) });
    });
    const origin = { ...BY_OPERATOR, source };
    const options = { origin, onlyVendor: vendor_id, outranksApi: true };
    const run = await this.batches.apply(batch, session, options);
    return Array.from(batch.outcomes(run), resultOf);
  }
}
