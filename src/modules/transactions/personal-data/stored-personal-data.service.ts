import { Injectable } from '@nestjs/common';
import type { Session } from '../../../database/database.js';
import { isSame } from '../../../ledger-format/same-content.js';
import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import { TransactionWritesService } from '../writes/transaction-writes.service.js';

/**
 * Replaces personal data of stored transactions, because a person is erased or the data has
 * expired.
 */
@Injectable()
export class StoredPersonalDataService {
  constructor(private readonly writes: TransactionWritesService) {}

  /**
   * Replaces personal data in some of a vendor's transactions, which it locks. Everything else
   * stays as it is: kept sums, versions and shares. The feed of changes reports each transaction
   * that changes.
   * @param transaction_ids at most some hundreds; ids that are not the vendor's are skipped
   * @param replaced returns the record with other personal data and no other change
   * @returns the number of transactions that changed
   */
  async replace(
    session: Session,
    vendor_id: number,
    transaction_ids: readonly string[],
    replaced: (record: TransactionRecord) => TransactionRecord,
  ): Promise<number> {
    const ledgers = await this.writes.lock(session, [vendor_id], []);
    const stored = await this.writes.stored(session, transaction_ids);
    const changes = stored.flatMap(({ place, content, record_version, sequence }) => {
      const after = replaced(content);
      if (place.vendor_id !== vendor_id || isSame(content, after)) return [];
      return [
        {
          before: content,
          after,
          record_version,
          vendor_id,
          place,
          sequence_before: sequence,
        },
      ];
    });
    if (changes.length > 0) await this.writes.rewrite(session, ledgers, changes);
    return changes.length;
  }
}
