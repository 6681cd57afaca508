import { NamedError } from './domain-error.js';

/** Reports that the database cannot be reached or does not respond. A retry may succeed. */
export class DatabaseUnavailableError extends NamedError {}

/** Returns a base class of errors that have this message and a cause. */
function unavailable(message: string) {
  return class extends DatabaseUnavailableError {
    constructor(cause: unknown) {
      super(message, { cause });
    }
  };
}

/** Reports that no connection could be made. */
export class DatabaseUnreachableError extends unavailable('The database cannot be reached.') {}

/** Reports that no host of a cluster accepts connections. */
export class NoHostError extends unavailable('No host of the database can be reached.') {}

/** Reports that the server is not ready or is read-only. Another host of its cluster may work. */
export class NodeNotWritableError extends unavailable(
  'The database is not ready, or is read-only.',
) {}

/** Reports that the connection was lost. Uncommitted changes are rolled back. */
export class DatabaseLostError extends unavailable('The connection to the database was lost.') {}

/** Reports that the server aborted a statement that exceeded its time limit. */
export class StatementTimeoutError extends unavailable('A statement exceeded the time limit.') {}

/** Reports that there was no response in time, so the outcome of the statement is unknown. */
export class DatabaseTimeoutError extends DatabaseUnavailableError {
  constructor() {
    super('The database did not respond in time.');
  }
}

/**
 * Reports that the connection was lost during a commit, so it is unknown whether the commit took
 * effect.
 */
export class UnknownOutcomeError extends unavailable(
  'The connection to the database was lost during a commit.',
) {}
