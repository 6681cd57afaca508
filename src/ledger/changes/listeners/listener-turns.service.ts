import { Injectable, Logger } from '@nestjs/common';
import { Database, type Session } from '../../../platform/database/database.js';
import { limitedWork } from '../../../platform/database/extensions/limited-work.js';
import { describeError } from '../../../platform/errors/describe-error.js';
import { type Held, LeaseLostError, Leases } from '../../../platform/jobs/lease.js';
import { pauseAfter, spread } from '../../../platform/jobs/job-queue.js';
import { recordIn } from '../../../platform/values/is-record.js';
import { dateTimeIn, formatDateTime } from '../../../platform/values/time.js';
import { cursorOf } from '../../../api/validation/feed-cursor.js';
import type { ChangeListener, LedgerChange } from '../change-listener.model.js';
import { ChangesFeedService, type FeedItem } from '../changes-feed.service.js';
import {
  ChangeCursorsRepository,
  type ChangeCursor,
  type CursorKey,
} from './change-cursors.repository.js';

/** A listener gets at most this many changes at a time, and half as many after each failure. */
const MAX_CHANGES = 100;
/** A listener gets about this many bytes of JSON at a time, unless a single change is larger. */
const MAX_BYTES = 1_048_576;
/**
 * Another process takes over after this time if the holder of a lease was killed. A holder that is
 * only slow loses its lease, and then writes nothing.
 */
const LEASE_MS = 10_000;
/**
 * A listener must handle its changes within this time, since other writes on SQLite wait for it. It
 * ends before the lease, and before a service that stops cuts it off.
 */
const LISTENER_MS = 8_000;
/** A turn ends after this time, so that other vendors get theirs. */
const TURN_MS = 1_000;

/** Changes for a listener, and the position after them. */
interface ListenerPage {
  readonly changes: readonly LedgerChange[];
  readonly position: number;
  /** Sequence after which later changes have reasons. */
  readonly walk_from: number;
  readonly has_more: boolean;
}

/**
 * Passes the changes of a ledger to a listener, in order. The writes of the listener and its
 * position are one transaction. See docs/changes.md.
 */
@Injectable()
export class ListenerTurnsService {
  /** Number of batches of changes that listeners got, by their outcome. */
  readonly outcomes = { handled: 0, failed: 0 };
  private readonly logger = new Logger(ListenerTurnsService.name);
  private readonly leases: Leases<CursorKey, ChangeCursor>;

  constructor(
    private readonly database: Database,
    repository: ChangeCursorsRepository,
    private readonly feed: ChangesFeedService,
  ) {
    this.leases = new Leases(database, repository, LEASE_MS);
  }

  /**
   * Passes waiting changes of a vendor to a listener, unless another process does.
   * @param stopped ends the turn after the current changes when it aborts
   */
  async turn(listener: ChangeListener, vendor_id: number, stopped: AbortSignal): Promise<void> {
    const ends = performance.now() + TURN_MS;
    const goesOn = () => !stopped.aborted && performance.now() < ends;
    const isDue = ({ next_try }: ChangeCursor) => next_try <= dateTimeIn(0);
    let held = await this.leases.take({ listener: listener.name, vendor_id }, isDue);
    while (held !== null) held = await this.step(listener, held, goesOn);
  }

  /** @returns the position if this process keeps the lease, otherwise null */
  private async step(
    listener: ChangeListener,
    held: Held<ChangeCursor>,
    goesOn: () => boolean,
  ): Promise<Held<ChangeCursor> | null> {
    try {
      const page = await this.pageAfter(listener, held);
      return await this.handle(listener, held, page, page.has_more && goesOn());
    } catch (error) {
      // The process that has the lease now reads the same changes.
      if (!(error instanceof LeaseLostError)) await this.fail(held, error);
      return null;
    }
  }

  private async pageAfter(
    { kinds = this.feed.kinds }: ChangeListener,
    { vendor_id, failures, ...stored }: ChangeCursor,
  ): Promise<ListenerPage> {
    const { position: after, walk_from: from } = cursorOf(stored);
    const { items, cursor, walk_from, has_more } = await this.feed.pageNow({
      vendor_id,
      after,
      walk_from: from,
      limit: Math.max(1, MAX_CHANGES >> failures),
      max_bytes: MAX_BYTES,
      kinds,
      isMasked: false,
    });
    return { changes: items.map(changeOf), position: cursor, walk_from, has_more };
  }

  /**
   * Runs the listener and stores its position, in one transaction.
   * @param keepsLease false to release the lease in the same transaction
   */
  private async handle(
    listener: ChangeListener,
    held: Held<ChangeCursor>,
    page: ListenerPage,
    keepsLease: boolean,
  ): Promise<Held<ChangeCursor> | null> {
    const { claim } = held;
    const work = (session: Session, row: ChangeCursor) =>
      this.apply(session, { listener, read: held.position, page }, row);
    if (!keepsLease) {
      await this.leases.release(held, claim, work);
      return null;
    }
    return this.database.writeIdempotent((session) =>
      this.leases.extend(session, held, claim, (row) => work(session, row)),
    );
  }

  private async apply(
    session: Session,
    { listener, read, page }: { listener: ChangeListener; read: number; page: ListenerPage },
    { vendor_id, position }: ChangeCursor,
  ): Promise<Partial<ChangeCursor>> {
    // A repetition after a commit with an unknown outcome finds the position that it wrote.
    if (position !== read) return {};
    if (page.changes.length > 0) {
      await limitedWork(LISTENER_MS, () => listener.changed(session, vendor_id, page.changes));
      session.onEnd(() => {
        this.outcomes.handled += 1;
      });
    }
    const { position: next, walk_from } = page;
    return { position: next, walk_from, failures: 0, next_try: dateTimeIn(0) };
  }

  /** Lets the same changes come again later. Logs the first failure of several in a row. */
  private async fail(held: Held<ChangeCursor>, error: unknown): Promise<void> {
    const { listener, vendor_id, failures } = held;
    this.outcomes.failed += 1;
    if (failures === 0) {
      const message = `The listener ${listener} failed on changes of vendor ${vendor_id}. It gets them again later.`;
      // Code of an extension may quote a customer in any message.
      this.logger.error({ message, ...describeError(error, () => true) });
    }
    const next_try = dateTimeIn(spread(pauseAfter(failures)));
    await this.leases.release(held, held.claim, () => ({ failures: failures + 1, next_try }));
  }
}

function changeOf({ sequence, kind, changed_at, reasons, json }: FeedItem): LedgerChange {
  const change = { sequence, kind, changed_at: formatDateTime(changed_at) };
  const record = recordIn(json) ?? {};
  return reasons === undefined ? { ...change, record } : { ...change, reasons, record };
}
