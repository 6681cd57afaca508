import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseLostError } from '../common/errors/database-away.js';
import { codeOf } from '../common/is-error.js';

const TRIES = 12;
const LONGEST_WAIT_MS = 500;
/** A caller who waits is told after this long that the database is away. */
const LOST_LIMIT_MS = 1_000;

/**
 * Errors after which the same transaction may well succeed: a deadlock, a wait for a lock, a busy
 * file, a node of a cluster that is not ready, and a row that another writer put there between our
 * look and our write, which a second look will see.
 */
const PASSING = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_DUP_ENTRY',
  'ER_CHECKREAD',
  'ER_UNKNOWN_COM_ERROR',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_UNIQUE',
]);

/**
 * Runs a whole transaction, and again after an error that passes; any other error goes on. A lost
 * connection has undone the transaction, unless it was lost at the commit, which is never repeated.
 */
export async function retrying<Result>(transaction: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  for (let tried = 1; ; tried += 1) {
    try {
      return await transaction();
    } catch (error) {
      const isLost = error instanceof DatabaseLostError;
      const mayPass = isLost
        ? performance.now() - begun < LOST_LIMIT_MS
        : PASSING.has(codeOf(error) ?? '');
      if (tried === TRIES || !mayPass) throw error;
    }
    // Jitter keeps writers that met once from meeting again.
    await wait(Math.random() * Math.min(LONGEST_WAIT_MS, 2 ** tried * 5));
  }
}
