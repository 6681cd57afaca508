import { Injectable } from '@nestjs/common';
import { insertRows, runByKeys, selectByKeys, upsertRows } from '../../platform/database/bulk.js';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import { OutdatedReadError } from '../../platform/database/retry.js';
import {
  foundLedger,
  type ChangeCounts,
  type LockedLedger,
  type LockedLedgers,
} from './ledger-change.model.js';
import type { VendorAffiliate } from '../reads/seen-user.model.js';
import type { StoredRevision } from './ledger-revision.entity.js';

type VendorKey = Pick<StoredRevision, 'vendor_id'>;

const EMPTY_LEDGER: LockedLedger = {
  revision: 0,
  last_arrival: 0,
  last_sequence: 0,
  tracked_sequence: 0,
  has_removed: 0,
};

const VENDOR = ['vendor_id'] as const;
/** Lists the columns that a fence compares. */
const FOUND = ['revision', 'last_sequence'] as const;
const STATE = ['last_arrival', 'tracked_sequence', 'has_removed'] as const;
const RAISE = 'UPDATE ledger_revisions SET revision = revision + 1';

/**
 * Locks ledgers, and reads and raises their revisions. The SQL is hand-written, to make imports and
 * conditional requests fast.
 */
@Injectable()
export class LedgerLocksRepository {
  constructor(private readonly database: Database) {}

  /** Returns the revisions of these vendors' ledgers. A vendor without transactions has none. */
  async revisionsOf(
    vendor_ids: readonly number[],
    reader: Reader = this.database,
  ): Promise<ReadonlyMap<number, number>> {
    const select = 'SELECT vendor_id, revision FROM ledger_revisions';
    const rows = await selectByKeys<VendorKey & Pick<StoredRevision, 'revision'>>(
      reader,
      select,
      VENDOR,
      vendor_ids,
    );
    return new Map(rows.map(({ vendor_id, revision }) => [vendor_id, revision]));
  }

  /**
   * Locks these vendors' ledgers until the session ends. It locks them in the order of the vendors,
   * so that two writers cannot wait for each other.
   */
  async lockLedgers(session: Session, vendor_ids: readonly number[]): Promise<LockedLedgers> {
    const vendors = inOrder(vendor_ids);
    const select = `SELECT ${[...VENDOR, ...FOUND, ...STATE].join(', ')} FROM ledger_revisions`;
    const ending = `ORDER BY vendor_id ${session.dialect.forUpdate}`;
    const locked = await selectByKeys<VendorKey & LockedLedger>(
      session,
      select,
      VENDOR,
      vendors,
      ending,
    );
    const ledgers = new Map(locked.map(({ vendor_id, ...ledger }) => [vendor_id, ledger]));
    const first = vendors.filter((vendor_id) => !ledgers.has(vendor_id));
    for (const vendor_id of first) ledgers.set(vendor_id, EMPTY_LEDGER);
    // If two writers insert the first row of a ledger, they collide on the key here, and one of
    // them is retried.
    const rows = first.map((vendor_id) => [vendor_id, EMPTY_LEDGER.revision]);
    await insertRows(session, 'ledger_revisions', [...VENDOR, 'revision'], rows);
    return ledgers;
  }

  /**
   * Locks these users until the session ends. A session that changes one of them later sees every
   * ledger that shows the user. If a session is changing one now, this waits for it.
   */
  async lockUsers(session: Session, user_ids: readonly number[]): Promise<void> {
    const ending = `ORDER BY id ${session.dialect.forUpdate}`;
    await selectByKeys(session, 'SELECT id FROM users', ['id'], inOrder(user_ids), ending);
  }

  /** Counts the new transactions of locked ledgers as arrived, and counts all changes. */
  async addArrivals(session: Session, counts: ReadonlyMap<number, ChangeCounts>): Promise<void> {
    const columns = [...VENDOR, 'revision', 'last_arrival', 'last_sequence'];
    const rows = Array.from(counts, ([vendor_id, { arrived, changed }]) => [
      vendor_id,
      0,
      arrived,
      changed,
    ]);
    const changes = [
      { column: 'last_arrival', by: 'add' },
      { column: 'last_sequence', by: 'add' },
    ] as const;
    await upsertRows(session, 'ledger_revisions', columns, rows, VENDOR, changes);
  }

  /**
   * Raises the revisions of the ledgers that show these users. A user is shown to the user, and to
   * each vendor whose products the user sold as an affiliate.
   * @param onlyVendor the only vendor whose revision rises, besides those of the users; null for
   *   all
   * @returns the affiliates who are shown to these vendors
   */
  async raiseRevisionsThatShow(
    session: Session,
    user_ids: readonly number[],
    onlyVendor: number | null,
  ): Promise<VendorAffiliate[]> {
    // This precedes the read, so that it conflicts with a concurrent first sale of the user for
    // another vendor.
    await this.raiseRevisionsOfUsers(session, user_ids);
    const select = 'SELECT DISTINCT vendor_id, affiliate_id FROM transactions';
    const key = ['affiliate_id'];
    const all = await selectByKeys<VendorAffiliate>(session, select, key, user_ids);
    const shown = all.filter(({ vendor_id }) => vendor_id === (onlyVendor ?? vendor_id));
    await this.raiseRevisionsOfVendors(
      session,
      shown.map(({ vendor_id }) => vendor_id),
    );
    return shown;
  }

  /** Raises the revisions of the ledgers of these vendors. */
  async raiseRevisionsOfVendors(session: Session, vendor_ids: readonly number[]): Promise<void> {
    await runByKeys(session, RAISE, VENDOR, inOrder(vendor_ids));
  }

  /**
   * Raises the revisions of the users' own ledgers. Both a rename of an affiliate and the
   * affiliate's first sale of a product do this. So two such sessions conflict even on two nodes of
   * a cluster, where neither sees the row locks of the other.
   */
  async raiseRevisionsOfUsers(session: Session, user_ids: readonly number[]): Promise<void> {
    const rows = inOrder(user_ids).map((id) => [id, 1]);
    const changes = [{ column: 'revision', by: 'add' }] as const;
    await upsertRows(session, 'ledger_revisions', [...VENDOR, 'revision'], rows, VENDOR, changes);
  }

  /**
   * Raises `longest_refund_days`, which bounds the reads of refund counts.
   * @param longest days by vendor
   */
  async raiseLongestRefundDays(
    session: Session,
    longest: ReadonlyMap<number, number>,
  ): Promise<void> {
    const stored = await selectByKeys<Omit<StoredRevision, 'revision'>>(
      session,
      'SELECT vendor_id, longest_refund_days FROM ledger_revisions',
      VENDOR,
      [...longest.keys()],
    );
    for (const { vendor_id, longest_refund_days } of stored) {
      const days = longest.get(vendor_id) ?? 0;
      if (days <= longest_refund_days) continue;
      const sql = 'UPDATE ledger_revisions SET longest_refund_days = ? WHERE vendor_id = ?';
      await session.run(sql, [days, vendor_id]);
    }
  }

  /**
   * Raises the revisions of the changed ledgers.
   * @param counts numbers of changes by vendor
   * @throws OutdatedReadError if a ledger has changed since it was found, because the changes were
   *   computed from that state; the session is then repeated
   */
  async raise(
    session: Session,
    ledgers: LockedLedgers,
    counts: ReadonlyMap<number, ChangeCounts>,
  ): Promise<void> {
    const keys = inOrder([...counts.keys()]).map((vendor_id) => {
      const { revision, last_sequence } = foundLedger(ledgers, vendor_id);
      return [vendor_id, revision, last_sequence + (counts.get(vendor_id)?.changed ?? 0)];
    });
    const raised = await runByKeys(session, RAISE, [...VENDOR, ...FOUND], keys);
    if (raised !== keys.length)
      throw new OutdatedReadError('a ledger was changed by another writer');
  }
}

/** Returns sorted ids without duplicates. */
function inOrder(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((left, right) => left - right);
}
