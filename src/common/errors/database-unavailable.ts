/** The database cannot be reached or does not respond. A retry may succeed. */
export class DatabaseUnavailableError extends Error {
  override readonly name = this.constructor.name;
}

/** No connection could be made. */
export class DatabaseUnreachableError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
  }
}

/** No host of a cluster accepts connections. */
export class NoHostError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('No host of the database can be reached.', { cause });
  }
}

/** The server is not ready or read-only. Another host of its cluster may work. */
export class NodeNotWritableError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('The database is not ready, or is read-only.', { cause });
  }
}

/** The connection was lost, and uncommitted changes are rolled back. */
export class DatabaseLostError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('The connection to the database was lost.', { cause });
  }
}

/** The server aborted a statement that exceeded its time limit. */
export class StatementTimeoutError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('A statement exceeded the time limit.', { cause });
  }
}

/** There was no response in time, so the outcome of the statement is unknown. */
export class DatabaseTimeoutError extends DatabaseUnavailableError {
  constructor() {
    super('The database did not respond in time.');
  }
}

/** The connection was lost during a commit, so it is unknown whether it took effect. */
export class UnknownOutcomeError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super('The connection to the database was lost during a commit.', { cause });
  }
}
