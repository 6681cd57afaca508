/** The database can not be reached, or does not answer; the same may work in a moment. */
export class DatabaseAwayError extends Error {
  override readonly name: string = 'DatabaseAwayError';
}

/** No answer came in time, so that nobody knows what became of the question. */
export class DatabaseSilentError extends DatabaseAwayError {
  override readonly name = 'DatabaseSilentError';

  constructor() {
    super('The database did not answer in time.');
  }
}
