import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../common/is-error.js';

const TRIES = 12;
const LONGEST_WAIT_MS = 500;

/**
 * Errors after which the same transaction may well succeed: a deadlock, a wait for a lock, a busy
 * file, and a row that another writer put there between our look and our write, which a second look
 * will see.
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

/** Runs a whole transaction, and again after an error that passes; any other error goes on. */
export async function retrying<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (tried === TRIES || !isPassing(error)) throw error;
    }
    // Jitter keeps writers that met once from meeting again.
    await wait(Math.random() * Math.min(LONGEST_WAIT_MS, 2 ** tried * 5));
  }
}

function isPassing(error: unknown): boolean {
  return PASSING.has(codeOf(error) ?? '');
}
