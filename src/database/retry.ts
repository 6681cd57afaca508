import { setTimeout as wait } from 'node:timers/promises';
import {
  DatabaseLostError,
  NodeNotWritableError,
  NoHostError,
  UnknownOutcomeError,
} from '../common/errors/database-unavailable.js';
import { codeOf, isError } from '../common/errors/is-error.js';

/** How often a transaction that meets others is begun. */
const TRIES = 12;
const LONGEST_PAUSE_MS = 500;

/**
 * Errors after which the same transaction may well succeed: a deadlock, a wait for a lock, and a row
 * that another writer put there between our look and our write, which a second look will see. (What is
 * busy on SQLite has been waited for, see sqlite-busy.ts.) On a cluster a deadlock is also told at the commit: the nodes agreed on another
 * transaction, and this one is undone.
 */
const PASSING = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_DUP_ENTRY',
  'ER_CHECKREAD',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_UNIQUE',
]);

/**
 * The same of TiDB, for which the driver has no names: another transaction was preferred, or the schema
 * changed meanwhile. TiDB has undone the whole of it, also where it tells so at the commit.
 */
const PASSING_ON_TIDB = new Set([8002, 8005, 8022, 8028, 9007]);

export interface Patience {
  /** For how long a database is waited for after it was found to be away. */
  readonly patienceMs: number;
  /** True of a transaction that may be begun anew even where it may have been committed. */
  readonly findsOutWhatWasDone?: boolean;
}

/**
 * Runs a whole transaction, and again after an error that passes; any other error goes on. A lost
 * connection has undone the transaction, and a server that is unfit has done nothing of it, unless
 * that came at the commit: then the transaction has to find out by itself what was done.
 */
export async function retrying<Result>(
  transaction: () => Promise<Result>,
  { patienceMs, findsOutWhatWasDone = false }: Patience = { patienceMs: 0 },
): Promise<Result> {
  let met = 0;
  let awaySince: number | undefined;
  for (let tried = 1; ; tried += 1) {
    try {
      return await transaction();
    } catch (error) {
      const isUnknown = error instanceof UnknownOutcomeError;
      if (!mayPass(error) && !(isUnknown && findsOutWhatWasDone)) throw error;
      if (isConflict(error)) {
        met += 1;
        if (met === TRIES) throw error;
      } else {
        awaySince ??= performance.now();
        if (performance.now() - awaySince > patienceMs) throw error;
      }
    }
    // Jitter keeps writers that met once from meeting again.
    await wait(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tried * 5));
  }
}

/** True where the same may succeed when it is done again: a read, or a transaction as a whole. */
function mayPass(error: unknown): boolean {
  return mayBeDoneElsewhere(error) || isConflict(error);
}

/** True where others were at the same rows. */
function isConflict(error: unknown): boolean {
  if (PASSING.has(codeOf(error) ?? '')) return true;
  return isError(error) && 'errno' in error && PASSING_ON_TIDB.has(Number(error.errno));
}

/** True where the same may work on another connection, or on another host of a cluster, or later. */
export function mayBeDoneElsewhere(error: unknown): boolean {
  return [DatabaseLostError, NodeNotWritableError, NoHostError].some(
    (kind) => error instanceof kind,
  );
}
