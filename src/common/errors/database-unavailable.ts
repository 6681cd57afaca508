/** The database can not be reached, or does not answer; the same may work in a moment. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
}

/** No connection could be made. */
export class DatabaseUnreachableError extends DatabaseUnavailableError {
  override readonly name = 'DatabaseUnreachableError';

  constructor(cause: unknown) {
    super('The database can not be reached.', { cause });
  }
}

/** No host of a cluster takes a connection. */
export class NoHostError extends DatabaseUnavailableError {
  override readonly name = 'NoHostError';

  constructor(cause: unknown) {
    super('No host of the database can be reached.', { cause });
  }
}

/** The server answers, and does not do what it is asked now: another of its cluster may. */
export class NodeNotWritableError extends DatabaseUnavailableError {
  override readonly name = 'NodeNotWritableError';

  constructor(cause: unknown) {
    super('The database is not ready, or can only be read.', { cause });
  }
}

/** The connection was lost: what was not committed is undone. */
export class DatabaseLostError extends DatabaseUnavailableError {
  override readonly name = 'DatabaseLostError';

  constructor(cause: unknown) {
    super('The connection to the database was lost.', { cause });
  }
}

/** The database itself ended a statement that took longer than it may. */
export class StatementTimeoutError extends DatabaseUnavailableError {
  override readonly name = 'StatementTimeoutError';

  constructor(cause: unknown) {
    super('The database took too long over a statement.', { cause });
  }
}

/** No answer came in time, so that nobody knows what became of the question. */
export class DatabaseTimeoutError extends DatabaseUnavailableError {
  override readonly name = 'DatabaseTimeoutError';

  constructor() {
    super('The database did not answer in time.');
  }
}

/** The connection was lost while a transaction was to be committed: it may be, or may not. */
export class UnknownOutcomeError extends DatabaseUnavailableError {
  override readonly name = 'UnknownOutcomeError';

  constructor(cause: unknown) {
    super('The connection to the database was lost at the end of a transaction.', { cause });
  }
}
