import { Injectable } from '@nestjs/common';
import type { Session } from '../../platform/database/database.js';
import { ChangeSources } from './change-sources.js';
import { isLedgerKind, type NamedRecord } from './change.model.js';
import { distinct } from './changes.service.js';
import { ChangesRepository } from './changes.repository.js';

/** Maximum length of the key of a record. */
const KEY_LENGTH = 255;

/**
 * Adds the changes of an extension's records to the feed, in the transaction of the change. The
 * vendor's ledger stays locked until the commit, so sequences rise in the order of the commits.
 */
@Injectable()
export class ExtensionChangesService {
  /** @internal */
  constructor(
    private readonly repository: ChangesRepository,
    private readonly sources: ChangeSources,
  ) {}

  /**
   * Adds a change of each record, in this order, each record once.
   * @throws Error if a kind is not one of an installed extension, or a key is invalid
   */
  async record(session: Session, records: readonly NamedRecord[]): Promise<void> {
    for (const record of records) this.assertOwn(record);
    if (records.length > 0) await this.repository.record(session, distinct(records));
  }

  /**
   * Replaces the item of each record by one of the kind `removed`.
   * @throws Error if a kind is not one of an installed extension, or a key is invalid
   */
  async remove(session: Session, records: readonly NamedRecord[]): Promise<void> {
    for (const record of records) this.assertOwn(record);
    if (records.length > 0) await this.repository.remove(session, distinct(records));
  }

  private assertOwn({ vendor_id, kind, record_key }: NamedRecord): void {
    if (isLedgerKind(kind)) {
      throw new Error(`changes of the kind ${kind} are recorded by the service itself`);
    }
    if (!this.sources.kinds.includes(kind)) {
      throw new Error(`no change source of an extension has the kind ${JSON.stringify(kind)}`);
    }
    if (!Number.isSafeInteger(vendor_id) || vendor_id < 1) {
      throw new Error(`a change of the kind ${kind} needs the id of a vendor`);
    }
    const { length } = Array.from(record_key);
    if (length === 0 || length > KEY_LENGTH) {
      throw new Error(`the key of a change of the kind ${kind} must have 1 to 255 characters`);
    }
  }
}
