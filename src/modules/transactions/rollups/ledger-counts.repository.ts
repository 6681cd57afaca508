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

/** The kept counts and revisions: all SQL that maintains them. */
@Injectable()
export class LedgerCountsRepository {
  /**
   * Lets this session alone write to these vendors' ledgers until it ends. Always in the order of
   * the vendors, so that two writers can't wait for each other.
   */
  async lockLedgers(session: Session, vendor_ids: readonly number[]): Promise<void> {
    const vendors = keysInOrder(vendor_ids);
    const select = 'SELECT vendor_id FROM ledger_revisions';
    const ending = `ORDER BY vendor_id ${session.dialect.forUpdate}`;
    const locked = await selectByKeys<VendorKey>(session, select, VENDOR, vendors, ending);
    const known = new Set(locked.map(({ vendor_id }) => vendor_id));
    const first = vendors.filter(([vendor_id]) => !known.has(vendor_id));
    // Two first writers collide here on the key, and one of them begins anew.
    const rows = first.map(([vendor_id]) => [vendor_id, 0]);
    await insertRows(session, 'ledger_revisions', [...VENDOR, 'revision'], rows);
  }

  /**
   * Lets nobody change these users until this session ends. Whoever changes one later then sees every
   * ledger that shows the user; whoever is changing one now is waited for.
   */
  async lockUsers(session: Session, user_ids: Iterable<number>): Promise<void> {
    const ending = `ORDER BY id ${session.dialect.forUpdate}`;
    await selectByKeys(session, 'SELECT id FROM users', ['id'], keysInOrder([...user_ids]), ending);
  }

  /**
   * Takes the next numbers in the order of arrival. Until this session ends, no other takes any: what
   * is committed has arrived before all that is not.
   * @returns the first of them
   */
  async takeArrivals(session: Session, count: number): Promise<number> {
    await addArrivals(session, count);
    const sql = 'SELECT last_arrival FROM ledger_arrivals';
    const [row] = await session.select<Pick<StoredArrival, 'last_arrival'>>(sql, []);
    if (row === undefined) throw new Error('the last arrival is not there');
    return row.last_arrival - count + 1;
  }

  /**
   * Lets no other session that takes a turn, or arrivals, be committed beside this one. On a cluster a
   * lock on what is only read is not known to the other nodes; that both write one row is, even where
   * both leave it as it was.
   */
  async serializeWriters(session: Session): Promise<void> {
    await addArrivals(session, 1);
    await addArrivals(session, -1);
  }

  /** Brings counts and revisions to what the changes make of the ledger. */
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
    await this.noteLateRefunds(session, changes);
    await this.raiseRevisions(
      session,
      changes.map(({ place }) => place.vendor_id),
    );
  }

  /** A user stands in the user's own answers, and in those of each vendor whose sales the user made. */
  async raiseRevisionsThatShow(session: Session, user_ids: readonly number[]): Promise<void> {
    if (user_ids.length === 0) return;
    // Before the look: what is sold by one of them meanwhile, on another node, undoes this session.
    await this.serializeWriters(session);
    const rows = await selectByKeys<VendorKey>(
      session,
      'SELECT DISTINCT vendor_id FROM transactions',
      ['affiliate_id'],
      user_ids.map((id) => [id]),
    );
    await this.raiseRevisions(session, [...user_ids, ...rows.map(({ vendor_id }) => vendor_id)]);
  }

  /** Keeps the bound within which the reads of refund counts look. */
  private async noteLateRefunds(session: Session, changes: readonly PlacedChange[]): Promise<void> {
    const latest = new Map<number, number>();
    for (const { after, place } of changes) {
      if (after.refund_date === null) continue;
      const days = daysBetween(dayOf(after.sale_date), dayOf(after.refund_date));
      latest.set(place.vendor_id, Math.max(days, latest.get(place.vendor_id) ?? 0));
    }
    const kept = await selectByKeys<Omit<StoredRevision, 'revision'>>(
      session,
      'SELECT vendor_id, longest_refund_days FROM ledger_revisions',
      ['vendor_id'],
      [...latest.keys()].map((vendor_id) => [vendor_id]),
    );
    for (const { vendor_id, longest_refund_days } of kept) {
      const days = latest.get(vendor_id) ?? 0;
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

/** The keys of rows that belong to users, each once. */
function keysInOrder(vendor_ids: readonly number[]): [number][] {
  return [...new Set(vendor_ids)].sort((left, right) => left - right).map((id) => [id]);
}
