import { Injectable } from '@nestjs/common';
import type { Session } from '../../database/database.js';
import type { ChangedRecord, RemovedRecord } from './change.model.js';
import { ChangesRepository } from './changes.repository.js';

/**
 * Records what changed in vendors' ledgers, in the transaction of the change. Sequences rise in the order of
 * the commits: whoever takes one keeps the vendor's ledger locked until then.
 */
@Injectable()
export class ChangesService {
  constructor(private readonly repository: ChangesRepository) {}

  /** Records changes, each thing once, in this order. */
  async record(session: Session, changes: readonly ChangedRecord[]): Promise<void> {
    if (changes.length > 0) await this.repository.record(session, distinct(changes));
  }

  /** Records those that no ledger of their vendor has shown yet. */
  async recordNew(session: Session, records: readonly ChangedRecord[]): Promise<void> {
    const wanted = distinct(records);
    const known = new Set((await this.repository.known(session, wanted)).map(nameOf));
    const fresh = wanted.filter((record) => !known.has(nameOf(record)));
    await this.record(session, fresh);
  }

  /** Records those that a ledger of their vendor has shown, and returns them. */
  async recordKnown(
    session: Session,
    records: readonly ChangedRecord[],
  ): Promise<readonly ChangedRecord[]> {
    const known = await this.repository.known(session, distinct(records));
    await this.record(session, known);
    return known;
  }

  /**
   * Records affiliates in each ledger that has ever shown them: followers keep the names.
   * @param shown where they are shown now
   * @param onlyVendor the only vendor to whom they have changed, or null for all
   */
  async recordAffiliates(
    session: Session,
    affiliate_ids: readonly number[],
    shown: readonly ChangedRecord[],
    onlyVendor: number | null,
  ): Promise<void> {
    const record_keys = affiliate_ids.map(String);
    const once = await this.repository.ofAllVendors(session, 'affiliate', record_keys);
    const changed = once.filter(({ vendor_id }) => vendor_id === (onlyVendor ?? vendor_id));
    await this.record(session, [...shown, ...changed]);
  }

  /** Records that things have left the ledgers of their vendors. */
  async remove(session: Session, removed: readonly RemovedRecord[]): Promise<void> {
    if (removed.length > 0) await this.repository.remove(session, distinct(removed));
  }

  /** Forgets that transactions were removed which are back: their own rows have their changes. */
  async returned(session: Session, transactions: readonly RemovedRecord[]): Promise<void> {
    await this.repository.forgetRemoved(session, transactions);
  }
}

function distinct<One extends RemovedRecord>(records: readonly One[]): One[] {
  return [...new Map(records.map((record) => [nameOf(record), record])).values()];
}

function nameOf({ vendor_id, kind, record_key }: RemovedRecord): string {
  return `${vendor_id} ${kind} ${record_key}`;
}
