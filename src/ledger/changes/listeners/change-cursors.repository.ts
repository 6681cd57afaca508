import { Injectable } from '@nestjs/common';
import { In, IsNull, Not, Repository } from 'typeorm';
import { upsertRows } from '../../../platform/database/bulk.js';
import { Database, type Session } from '../../../platform/database/database.js';
import {
  dateTime,
  key,
  optional,
  text,
  wholeNumber,
} from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { dateTimeIn } from '../../../platform/values/time.js';

/** Holds the position of each listener in the feed of each vendor. */
export const ChangeCursorEntity = entityOf({
  name: 'ChangeCursor',
  tableName: 'change_cursors',
  columns: {
    listener: key(text(128)),
    vendor_id: key(wholeNumber()),
    /** Sequence up to which the listener has handled all changes. */
    position: wholeNumber(),
    /** Sequence after which the listener gets reasons; null is `position`. */
    walk_from: optional(wholeNumber()),
    /** Number of consecutive failures. */
    failures: wholeNumber(),
    next_try: dateTime(),
    claim: optional(text(36)),
    claim_ends: optional(dateTime()),
  },
});
export type ChangeCursor = EntityRow<typeof ChangeCursorEntity>;

/** Identifies the position of a listener in the feed of a vendor. */
export type CursorKey = Pick<ChangeCursor, 'listener' | 'vendor_id'>;

/** A feed with changes that a listener has not handled, and that no process handles now. */
export interface DueFeed extends Omit<CursorKey, 'listener'> {
  readonly failures: number;
  /** 1 if the listener has no position in this feed yet, otherwise 0. */
  readonly is_new: number;
}

/** Selects vendors by their ids, in the order of the ids. */
export interface VendorRange {
  /** The range begins after this id. */
  readonly after: number;
  /** The last id of the range. */
  readonly last: number;
}

const KEY = ['listener', 'vendor_id'] as const;
const COLUMNS = [...KEY, 'position', 'failures', 'next_try'] as const;

const DUE = `SELECT r.vendor_id, COALESCE(c.failures, 0) AS failures, c.listener IS NULL AS is_new
  FROM ledger_revisions r
  LEFT JOIN change_cursors c ON c.listener = ? AND c.vendor_id = r.vendor_id
  WHERE r.vendor_id > ? AND r.vendor_id <= ? AND r.last_sequence > COALESCE(c.position, 0)
    AND (c.next_try IS NULL OR c.next_try <= ?)
    AND (c.claim_ends IS NULL OR c.claim_ends <= ?)
  ORDER BY COALESCE(c.failures, 0) > 0, c.next_try LIMIT ?`;

/**
 * Runs all SQL on the positions of listeners. The search for due feeds is written by hand: it runs
 * each second, over all vendors.
 */
@Injectable()
export class ChangeCursorsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ChangeCursorEntity)
    private readonly cursors: Repository<ChangeCursor>,
  ) {}

  /** Returns due feeds of a listener, those of failed attempts last. */
  due(
    listener: string,
    { after, last }: VendorRange,
    now: string,
    limit: number,
  ): Promise<DueFeed[]> {
    return this.database.select<DueFeed>(DUE, [listener, after, last, now, now, limit]);
  }

  /** Returns the last id of the next vendors with a ledger, or null if there are fewer of them. */
  async lastOf(after: number, vendors: number): Promise<number | null> {
    const [found] = await this.database.select<{ readonly vendor_id: number }>(
      'SELECT vendor_id FROM ledger_revisions WHERE vendor_id > ? ORDER BY vendor_id LIMIT 1 OFFSET ?',
      [after, vendors - 1],
    );
    return found?.vendor_id ?? null;
  }

  /** Adds positions before all changes. Existing positions stay as they are. */
  async add(keys: readonly CursorKey[]): Promise<void> {
    const now = dateTimeIn(0);
    const rows = keys.map(({ listener, vendor_id }) => [listener, vendor_id, 0, 0, now]);
    const unchanged = [{ column: 'failures', by: 'add' }] as const;
    await this.database.writeIdempotent((session) =>
      upsertRows(session, 'change_cursors', COLUMNS, rows, KEY, unchanged),
    );
  }

  /** Reads a position and locks it until the session ends. */
  async locked(session: Session, { listener, vendor_id }: CursorKey) {
    const cursors = session.manager.withRepository(this.cursors);
    const where = { listener, vendor_id };
    const [found] = await cursors.find({ where, ...session.dialect.locked });
    return found ?? null;
  }

  async change(
    session: Session,
    { listener, vendor_id }: CursorKey,
    changes: Partial<ChangeCursor>,
  ) {
    await session.manager.withRepository(this.cursors).update({ listener, vendor_id }, changes);
  }

  /**
   * Ends the leases of listeners on the feed of a vendor, so that changes that were read before are
   * read again.
   */
  async endLeases(
    session: Session,
    listeners: readonly string[],
    vendor_id: number,
  ): Promise<void> {
    const cursors = session.manager.withRepository(this.cursors);
    const where = { listener: In([...listeners]), vendor_id, claim: Not(IsNull()) };
    await cursors.update(where, { claim: 'ended' });
  }
}
