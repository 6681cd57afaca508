import { Injectable } from '@nestjs/common';
import { dayOf, daysBetween } from '../../../common/time.js';
import { insertRows, runByKeys, selectByKeys, upsertRows } from '../../../database/bulk.js';
import type { Session } from '../../../database/database.js';
import type { PlacedChange } from '../writes/transaction-writes.model.js';
import { signedRecords } from './ledger-changes.js';
import type { StoredArrival, StoredRevision } from './ledger-count.entity.js';
import { SumChanges } from './sum-changes.js';

type VendorKey = Pick<StoredRevision, 'vendor_id'>;

const VENDOR = ['vendor_id'] as const;
const SALE_COUNTS = {
  table: 'sale_counts',
  key: ['vendor_id', 'sale_day'],
  sums: ['sales'],
} as const;
const REFUND_COUNTS = {
  table: 'refund_counts',
  key: ['vendor_id', 'refund_day', 'sale_day'],
  sums: ['refunds'],
} as const;

/**
 * All SQL that maintains counts and revisions. Bulk statements by hand, for the rate of an import
 * (docs/benchmarks.md, "Older figures": 10,971 transactions a second).
 */
@Injectable()
export class LedgerCountsWritesRepository {
  /**
   * Locks these vendors' ledgers until the session ends. Always in the order of the vendors, so that two
   * writers cannot wait for each other.
   */
  async lockLedgers(session: Session, vendor_ids: readonly number[]): Promise<void> {
    const vendors = keysInOrder(vendor_ids);
    const select = 'SELECT vendor_id FROM ledger_revisions';
    const ending = `ORDER BY vendor_id ${session.dialect.forUpdate}`;
    const locked = await selectByKeys<VendorKey>(session, select, VENDOR, vendors, ending);
    const known = new Set(locked.map(({ vendor_id }) => vendor_id));
    const first = vendors.filter(([vendor_id]) => !known.has(vendor_id));
    // Two first writers collide on the key here, and one of them is retried.
    const rows = first.map(([vendor_id]) => [vendor_id, 0]);
    await insertRows(session, 'ledger_revisions', [...VENDOR, 'revision'], rows);
  }

  /**
   * Locks these users until the session ends. A session that changes one of them later sees every ledger
   * that shows the user; a session that is changing one now is waited for.
   */
  async lockUsers(session: Session, user_ids: readonly number[]): Promise<void> {
    const ending = `ORDER BY id ${session.dialect.forUpdate}`;
    await selectByKeys(session, 'SELECT id FROM users', ['id'], keysInOrder(user_ids), ending);
  }

  /**
   * Takes the next arrival numbers. No other session can take any until this one ends, so everything
   * committed has a smaller number than everything that is not.
   * @returns the first of them
   */
  async takeArrivals(session: Session, count: number): Promise<number> {
    await addArrivals(session, count);
    const sql = 'SELECT last_arrival FROM ledger_arrivals';
    const [row] = await session.select<Pick<StoredArrival, 'last_arrival'>>(sql, []);
    if (row === undefined) throw new Error('ledger_arrivals has no row');
    return row.last_arrival - count + 1;
  }

  /**
   * Conflicts with every other session that calls this or takes arrivals. Other nodes of a cluster do not
   * see a lock on rows that are only read; they do see that two sessions write the same row, even if
   * neither changes its value.
   */
  async serializeWriters(session: Session): Promise<void> {
    await addArrivals(session, 1);
    await addArrivals(session, -1);
  }

  /** Updates counts and revisions by the changes. */
  async apply(session: Session, changes: readonly PlacedChange[]): Promise<void> {
    const sales = new SumChanges(SALE_COUNTS);
    const refunds = new SumChanges(REFUND_COUNTS);
    for (const { record, sign, vendor_id } of signedRecords(changes)) {
      const sale_day = dayOf(record.sale_date);
      sales.add([vendor_id, sale_day], { sales: 1 }, sign);
      if (record.refund_date === null) continue;
      refunds.add([vendor_id, dayOf(record.refund_date), sale_day], { refunds: 1 }, sign);
    }
    await sales.save(session);
    await refunds.save(session);
    await this.raiseLongestRefundDays(session, changes);
    await this.raiseRevisions(
      session,
      changes.map(({ place }) => place.vendor_id),
    );
  }

  /** A user is shown to the user, and to each vendor whose products the user sold as an affiliate. */
  async raiseRevisionsThatShow(session: Session, user_ids: readonly number[]): Promise<void> {
    if (user_ids.length === 0) return;
    // Before the read: a sale by one of them on another node meanwhile then rolls this session back.
    await this.serializeWriters(session);
    const rows = await selectByKeys<VendorKey>(
      session,
      'SELECT DISTINCT vendor_id FROM transactions',
      ['affiliate_id'],
      user_ids.map((id) => [id]),
    );
    await this.raiseRevisions(session, [...user_ids, ...rows.map(({ vendor_id }) => vendor_id)]);
  }

  /** Raises `longest_refund_days`, which bounds the reads of refund counts. */
  private async raiseLongestRefundDays(
    session: Session,
    changes: readonly PlacedChange[],
  ): Promise<void> {
    const longest = new Map<number, number>();
    for (const { after, place } of changes) {
      if (after.refund_date === null) continue;
      const days = daysBetween(dayOf(after.sale_date), dayOf(after.refund_date));
      longest.set(place.vendor_id, Math.max(days, longest.get(place.vendor_id) ?? 0));
    }
    const stored = await selectByKeys<Omit<StoredRevision, 'revision'>>(
      session,
      'SELECT vendor_id, longest_refund_days FROM ledger_revisions',
      VENDOR,
      [...longest.keys()].map((vendor_id) => [vendor_id]),
    );
    for (const { vendor_id, longest_refund_days } of stored) {
      const days = longest.get(vendor_id) ?? 0;
      if (days <= longest_refund_days) continue;
      const sql = 'UPDATE ledger_revisions SET longest_refund_days = ? WHERE vendor_id = ?';
      await session.run(sql, [days, vendor_id]);
    }
  }

  private async raiseRevisions(session: Session, vendor_ids: readonly number[]): Promise<void> {
    const raise = 'UPDATE ledger_revisions SET revision = revision + 1';
    await runByKeys(session, raise, VENDOR, keysInOrder(vendor_ids));
  }
}

async function addArrivals(session: Session, by: number): Promise<void> {
  const columns = ['id', 'last_arrival'];
  const changes = [{ column: 'last_arrival', by: 'add' }] as const;
  await upsertRows(session, 'ledger_arrivals', columns, [[1, by]], ['id'], changes);
}

/** Sorted keys without duplicates. */
function keysInOrder(ids: readonly number[]): [number][] {
  return [...new Set(ids)].sort((left, right) => left - right).map((id) => [id]);
}
