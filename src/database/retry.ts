import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseLostError, DatabaseUnfitError } from '../common/errors/database-away.js';
import { codeOf, isError } from '../common/is-error.js';

const TRIES = 12;
const LONGEST_WAIT_MS = 500;
/** A caller who waits is told after this long that the database is away. */
const AWAY_LIMIT_MS = 1_000;

/**
 * Errors after which the same transaction may well succeed: a deadlock, a wait for a lock, a busy
 * file, and a row that another writer put there between our look and our write, which a second look
 * will see. On a cluster a deadlock is also told at the commit: the nodes agreed on another
 * transaction, and this one is undone.
 */
const PASSING = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_DUP_ENTRY',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_UNIQUE',
]);

/**
 * The same of TiDB, for which the driver has no names: another transaction was preferred, or the schema
 * changed meanwhile. TiDB has undone the whole of it, also where it tells so at the commit.
 */
const PASSING_ON_TIDB = new Set([8002, 8005, 8022, 8028, 9007]);

/**
 * Runs a whole transaction, and again after an error that passes; any other error goes on. A lost
 * connection has undone the transaction, and a server that is unfit has done nothing of it, unless
 * that came at the commit, which is never repeated.
 */
export async function retrying<Result>(transaction: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  for (let tried = 1; ; tried += 1) {
    try {
      return await transaction();
    } catch (error) {
      const isLate = performance.now() - begun > AWAY_LIMIT_MS;
      // Once in any case, however long it took to find out: another host may be well.
      const isOver = tried === TRIES || (mayBeDoneElsewhere(error) && isLate && tried > 1);
      if (isOver || !mayPass(error)) throw error;
    }
    // Jitter keeps writers that met once from meeting again.
    await wait(Math.random() * Math.min(LONGEST_WAIT_MS, 2 ** tried * 5));
  }
}

/** True where the same may succeed when it is done again: a read, or a transaction as a whole. */
export function mayPass(error: unknown): boolean {
  if (mayBeDoneElsewhere(error) || PASSING.has(codeOf(error) ?? '')) return true;
  return isError(error) && 'errno' in error && PASSING_ON_TIDB.has(Number(error.errno));
}

/** True where the same may work on another connection, or on another host of a cluster. */
export function mayBeDoneElsewhere(error: unknown): boolean {
  return error instanceof DatabaseLostError || error instanceof DatabaseUnfitError;
}
