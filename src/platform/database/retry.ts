import { setTimeout as wait } from 'node:timers/promises';
import {
  DatabaseLostError,
  DatabaseUnreachableError,
  NodeNotWritableError,
  NoHostError,
  StatementTimeoutError,
  UnknownOutcomeError,
} from '../errors/database-unavailable.js';
import { NamedError } from '../errors/domain-error.js';
import { codeOf, isError } from '../errors/is-error.js';

/** Milliseconds for which a transaction that conflicts with others is repeated. */
const MAX_CONFLICT_MS = 20_000;
const MAX_PAUSE_MS = 500;

/**
 * Codes of conflicts with other transactions, after which a retry may succeed: a deadlock (on a
 * cluster also at the commit), a lock timeout, or a key that another writer inserted after this one
 * checked for it. A busy SQLite file is handled in sqlite-busy.ts.
 */
const CONFLICTS = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_DUP_ENTRY',
  'ER_CHECKREAD',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_UNIQUE',
]);

/**
 * Numbers of the conflicts of TiDB: write conflicts and schema changes, for which the driver has no
 * names.
 */
const TIDB_CONFLICTS = new Set([8002, 8005, 8022, 8028, 9007]);

/**
 * Reports that a transaction has read data that others have changed since. It is repeated as a
 * whole.
 */
export class OutdatedReadError extends NamedError {}

/**
 * Reports that the database has rolled back a transaction without an error. It is repeated as a
 * whole.
 */
export class LostTransactionError extends NamedError {}

export interface RetryOptions {
  /** Milliseconds to wait for a database that is unavailable. */
  readonly maxWaitMs: number;
  /** Milliseconds for which conflicts are repeated, from the first one on. */
  readonly maxConflictMs?: number;
  /**
   * If true, a statement that exceeds its time limit counts as a conflict, since it may have waited
   * for others.
   */
  readonly repeatsTimeouts?: boolean;
  /** If true, the transaction is repeated even if it may have been committed. */
  readonly isIdempotent?: boolean;
}

/**
 * Runs a whole transaction, and repeats it after conflicts and lost connections. All these errors
 * imply a rollback, except UnknownOutcomeError.
 */
export async function withRetries<Result>(
  transaction: () => Promise<Result>,
  options: RetryOptions = { maxWaitMs: 0 },
): Promise<Result> {
  const { maxWaitMs, maxConflictMs = MAX_CONFLICT_MS } = options;
  let conflictingSince: number | undefined;
  let unavailableSince: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const begun = performance.now();
    try {
      return await transaction();
    } catch (error) {
      const isTimeout = error instanceof StatementTimeoutError;
      if (isConflict(error) || (isTimeout && options.repeatsTimeouts === true)) {
        conflictingSince ??= performance.now();
        if (performance.now() - conflictingSince > maxConflictMs) throw error;
      } else {
        const isUnknown = error instanceof UnknownOutcomeError;
        // The name of the server may lead nowhere until another server has taken over.
        const isUnreachable = error instanceof DatabaseUnreachableError;
        const isRepeated = isRetryableElsewhere(error) || isUnreachable;
        if (!isRepeated && !(isUnknown && options.isIdempotent === true)) throw error;
        // A server that refuses says so at once. One that is silent has taken the time of all
        // tries.
        unavailableSince ??= isUnreachable ? begun : performance.now();
        if (performance.now() - unavailableSince > maxWaitMs) throw error;
      }
    }
    // Jitter keeps conflicting writers from meeting again.
    await wait(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempt * 5));
  }
}

function isConflict(error: unknown): boolean {
  if (error instanceof OutdatedReadError || error instanceof LostTransactionError) return true;
  if (CONFLICTS.has(codeOf(error) ?? '')) return true;
  return isError(error) && 'errno' in error && TIDB_CONFLICTS.has(Number(error.errno));
}

/** Returns true if a retry on another connection or host, or later, may succeed. */
export function isRetryableElsewhere(error: unknown): boolean {
  return [DatabaseLostError, NodeNotWritableError, NoHostError].some(
    (kind) => error instanceof kind,
  );
}
