import { Injectable } from '@nestjs/common';
import type { Session } from '../../platform/database/database.js';
import type {
  ChangedRecord,
  NamedRecord,
  PlacedRecordChange,
  ReasonedRecord,
  RemovedRecord,
} from './change.model.js';
import { ChangesRepository } from './changes.repository.js';

/** Remembers the affiliates whom a vendor's feed has shown. */
interface KnownAffiliates {
  has(kind: 'fed', vendor_id: number, affiliate: string): boolean;
  add(kind: 'fed', vendor_id: number, affiliate: string): void;
}

/**
 * Records the changes of vendors' ledgers in the transaction of the change. Sequences rise in the
 * order of the commits, because the vendor's ledger stays locked until the commit.
 */
@Injectable()
export class ChangesService {
  constructor(private readonly repository: ChangesRepository) {}

  /** Adds changes to the feed in this order, each record once. */
  async record(
    session: Session,
    changes: readonly (ChangedRecord & ReasonedRecord)[],
  ): Promise<void> {
    if (changes.length > 0) await this.repository.record(session, distinct(changes));
  }

  /** Adds a change of each affiliate that its vendor's feed has not shown yet. */
  async recordNew(session: Session, affiliates: readonly ChangedRecord[]): Promise<void> {
    await this.record(session, await this.newAmong(session, affiliates));
  }

  /**
   * Returns the affiliates that their vendors' feeds have not shown yet.
   * @param known affiliates that need no look-up; the given ones are added
   */
  async newAmong(
    session: Session,
    affiliates: readonly ChangedRecord[],
    known?: KnownAffiliates,
  ): Promise<ChangedRecord[]> {
    const unknown = affiliates.filter(
      ({ vendor_id, record_key }) => known?.has('fed', vendor_id, record_key) !== true,
    );
    const wanted = distinct(unknown);
    const stored = new Set((await this.repository.known(session, wanted)).map(nameOf));
    for (const { vendor_id, record_key } of wanted) known?.add('fed', vendor_id, record_key);
    return wanted.filter((record) => !stored.has(nameOf(record)));
  }

  /** Returns those of these records that their vendors' feeds have shown before. */
  knownAmong(session: Session, records: readonly ChangedRecord[]): Promise<ChangedRecord[]> {
    return this.repository.known(session, distinct(records));
  }

  /** Writes changes whose sequences the locked ledgers of their vendors have counted. */
  async write(session: Session, changes: readonly PlacedRecordChange[]): Promise<void> {
    await this.repository.write(session, changes);
  }

  /**
   * Adds changes of affiliates to each feed that has ever shown them, because followers keep their
   * names.
   * @param shown the ledgers that show them now
   * @param onlyVendor the only vendor for whom they have changed, or null for all
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

  /** Adds an item of the kind `removed` for each record that left its vendor's ledger. */
  async remove(session: Session, removed: readonly RemovedRecord[]): Promise<void> {
    if (removed.length > 0) await this.repository.remove(session, distinct(removed));
  }

  /** Deletes the `removed` items of records that are back. */
  async returned(session: Session, records: readonly NamedRecord[]): Promise<void> {
    await this.repository.forgetRemoved(session, records);
  }
}

export function distinct<One extends NamedRecord>(records: readonly One[]): One[] {
  return [...new Map(records.map((record) => [nameOf(record), record])).values()];
}

function nameOf({ vendor_id, kind, record_key }: NamedRecord): string {
  return `${vendor_id} ${kind} ${record_key}`;
}
