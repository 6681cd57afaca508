/** Reports that the database cannot be reached or does not respond. A retry may succeed. */
export class DatabaseUnavailableError extends Error {
  override readonly name = this.constructor.name;
}

/** Reports that no connection could be made. */
export class DatabaseUnreachableError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
  }
}

/** Reports that no host of a cluster accepts connections. */
export class NoHostError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('No host of the database can be reached.', { cause });
  }
}

/** Reports that the server is not ready or is read-only. Another host of its cluster may work. */
export class NodeNotWritableError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('The database is not ready, or is read-only.', { cause });
  }
}

/** Reports that the connection was lost. Uncommitted changes are rolled back. */
export class DatabaseLostError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('The connection to the database was lost.', { cause });
  }
}

/** Reports that the server aborted a statement that exceeded its time limit. */
export class StatementTimeoutError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('A statement exceeded the time limit.', { cause });
  }
}

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
export class UnknownOutcomeError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('The connection to the database was lost during a commit.', { cause });
  }
}
