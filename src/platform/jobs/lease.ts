import { randomUUID } from 'node:crypto';
import { dateTimeIn } from '../values/time.js';
import type { Database, Session } from '../database/database.js';

/** The columns of a row that one process at a time works on, across all instances. */
export interface Lease {
  /** Random value of the process that works now, or null if there is none. */
  readonly claim: string | null;
  /** The lease is valid until this time, in UTC. */
  readonly claim_ends: string | null;
}

/** A row on which this process had the lease when it was read. */
export type Held<Row extends Lease> = Row & { readonly claim: string };

/**
 * Reads and changes the rows of a table with leases. The entity of the table says which columns
 * these are.
 */
interface LeasedRows<Key, Row extends Lease> {
  /** Reads a row and locks it until the session ends. */
  locked(session: Session, key: Key): Promise<Row | null>;
  change(session: Session, key: Key, changes: Partial<Row> | Partial<Lease>): Promise<void>;
}

/** Thrown if another process has the lease now, or the work was stopped; nothing is written. */
export class LeaseLostError extends Error {
  constructor() {
    super('another process has the lease, or the job was stopped');
  }
}

export const NO_LEASE: Lease = { claim: null, claim_ends: null };

/**
 * Gives the leases on the rows of a table. Each write of a holder locks the row and checks that the
 * lease is still its own, so a holder that was suspended for too long writes nothing.
 */
export class Leases<Key, Row extends Lease> {
  /** @param ms duration of a lease, so much longer than the work that its holder has ended */
  constructor(
    private readonly database: Database,
    private readonly rows: LeasedRows<Key, Row>,
    private readonly ms: number,
  ) {}

  /**
   * Takes the lease on a row that is due.
   * @param changes returns the columns that change with the lease
   * @returns null if there is no such row, it is not due, or another process has the lease
   */
  take(
    key: Key,
    isDue: (row: Row) => boolean,
    changes: (row: Row) => Partial<Row> = () => ({}),
  ): Promise<Held<Row> | null> {
    const claim = randomUUID();
    return this.database.writeIdempotent(async (session) => {
      const found = await this.rows.locked(session, key);
      // A repetition after a commit with an unknown outcome finds its own lease.
      const isOwn = found?.claim === claim;
      if (found === null || (!isOwn && !(isFree(found) && isDue(found)))) return null;
      const taken = { ...changes(found), ...this.lasting(claim) };
      await this.rows.change(session, key, taken);
      return { ...found, ...taken };
    });
  }

  /** Returns the columns of a lease that begins, or is extended, now. */
  lasting(claim: string) {
    return { claim, claim_ends: dateTimeIn(this.ms) };
  }

  /** Reads a row and locks it until the session ends. @returns null if the lease is lost */
  async held(session: Session, key: Key, claim: string): Promise<Row | null> {
    const found = await this.rows.locked(session, key);
    return found?.claim === claim ? found : null;
  }

  /**
   * Does work under a lease, and extends the lease.
   * @param work returns the changes of the row
   * @throws LeaseLostError if the lease is lost; then nothing is written
   */
  async extend(
    session: Session,
    key: Key,
    claim: string,
    work: (row: Row) => Promise<Partial<Row>>,
  ): Promise<Held<Row>> {
    const found = await this.held(session, key, claim);
    if (found === null) throw new LeaseLostError();
    const { claim_ends } = this.lasting(claim);
    const changes = { ...(await work(found)), claim_ends };
    await this.rows.change(session, key, changes);
    return { ...found, ...changes, claim };
  }

  /**
   * Gives up a lease, with the changes of the row that `work` returns. Nothing is written if the
   * lease is lost.
   */
  release(
    key: Key,
    claim: string,
    work: (session: Session, row: Row) => Partial<Row> | Promise<Partial<Row>> = () => ({}),
  ): Promise<void> {
    return this.database.writeIdempotent(async (session) => {
      const found = await this.held(session, key, claim);
      if (found === null) return;
      await this.rows.change(session, key, { ...(await work(session, found)), ...NO_LEASE });
    });
  }
}

/** Returns true if no process has a valid lease. */
export function isFree({ claim_ends }: Lease): boolean {
  return claim_ends === null || claim_ends <= dateTimeIn(0);
}

/**
 * Runs work, and extends its lease at an interval meanwhile. A failed extension is ignored, since
 * the next one is in time, and the work itself reports a lasting failure.
 */
export async function whileExtending<Result>(
  everyMs: number,
  extend: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  let extended: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    extended = extend().catch(() => undefined);
  }, everyMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await extended;
  }
}
