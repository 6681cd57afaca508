import type { EntityManager } from 'typeorm';
import type { Dialect } from './dialect.js';

/**
 * States how a transaction ended that was not rolled back: `unknown` if its commit got no response.
 */
type Outcome = 'committed' | 'unknown';

/** Calls the listeners of one attempt of a transaction. */
export class TransactionEnd {
  private readonly effects: ((outcome: Outcome) => void)[] = [];

  readonly onEnd = (effect: (outcome: Outcome) => void): void => {
    this.effects.push(effect);
  };

  notify(outcome: Outcome): void {
    for (const effect of this.effects) effect(outcome);
  }
}

/**
 * Statements accept these values as parameters. Results contain no bigint, since all integers are
 * below 2^53.
 */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** Rows are arrays in the order of their columns, the cheapest form that drivers return. */
export type SqlRow = readonly SqlValue[];

/** Reads with statements that were written by hand. */
export interface Reader {
  /**
   * Runs a SELECT as a prepared statement.
   * @typeParam Row names and types of the selected columns, which are not checked
   */
  select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
}

export interface EntityReader extends Reader {
  /** TypeORM on the same connections. Only the manager of a session can write. */
  readonly manager: EntityManager;
}

/** Runs the statements of one transaction. */
export interface Session extends EntityReader {
  /** SQL that differs between databases. */
  readonly dialect: Dialect;
  /**
   * Runs a statement that writes.
   * @returns the number of affected rows, as the driver counts them
   */
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
  /**
   * Calls `effect` once after the transaction was committed, or may have been; never after a
   * rollback. `effect` must not throw.
   */
  onEnd(effect: (outcome: Outcome) => void): void;
}

/** Uses what it is given until its promise settles. */
export type Work<Given, Result> = (given: Given) => Promise<Result>;

/** Checks whether a replica has the data that the caller has already seen. */
export type IsRecent = Work<Reader, boolean>;

/** Runs `work` in a transaction. */
export type InTransaction = <Result>(work: Work<Session, Result>) => Promise<Result>;

/** Gives all repositories access to the database, in the same way for every dialect. */
export abstract class Database implements EntityReader {
  /** SQL that differs between databases. */
  abstract readonly dialect: Dialect;
  /** Reads entities. To write, use the manager of a session. */
  abstract readonly manager: EntityManager;

  /** Reads committed data; each call has its own snapshot. */
  abstract select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;

  /**
   * Runs `work` in a READ COMMITTED transaction. `work` is repeated after a deadlock, a lock
   * timeout or a duplicate key, so it must have no effects outside its session.
   * @throws UnknownOutcomeError if the connection is lost during the commit
   */
  abstract write<Result>(work: Work<Session, Result>): Promise<Result>;

  /**
   * Runs `work` as `write` does, but also repeats it if it is unknown whether it was committed. So
   * `work` must be idempotent; a repetition overwrites concurrent changes.
   */
  writeIdempotent<Result>(work: Work<Session, Result>): Promise<Result> {
    return this.write(work);
  }

  /**
   * Runs `work` as `write` does, for a batch of many rows: also repeats it if one of its statements
   * exceeds the time limit, which can happen when it waits for other batches.
   * @internal
   */
  writeBatch<Result>(work: Work<Session, Result>): Promise<Result> {
    return this.write(work);
  }

  /**
   * Runs `work` as `writeBatch` does, for data that must not be recoverable: on SQLite, overwritten
   * data is left neither in the pages of the file nor in the log. Older copies, left where pages
   * were split, are removed by the next VACUUM.
   * @internal
   */
  writeErasing<Result>(work: Work<Session, Result>): Promise<Result> {
    return this.writeBatch(work);
  }

  /**
   * Runs `work` on a connection whose transactions read committed data without locks. They may
   * write only to `table`, which is dropped afterwards.
   * @param table a CREATE TEMPORARY TABLE that stores its rows on disk
   * @internal
   */
  abstract dryRun<Result>(table: string, work: Work<InTransaction, Result>): Promise<Result>;

  /**
   * If false, `readRecent` never calls `isRecent`.
   * @internal
   */
  readonly hasReplicas: boolean = false;

  /**
   * Reads from a replica for which `isRecent` holds, or else from the database itself.
   * @param work only reads; it may be repeated on the database itself
   * @internal
   */
  readRecent<Result>(_isRecent: IsRecent, work: Work<Reader, Result>): Promise<Result> {
    return work(this);
  }

  /**
   * Reads as `readRecent` does, but all statements of `work` see one state of the database. They
   * take no locks; the state is kept until `work` ends.
   * @internal
   */
  abstract readSnapshot<Result>(isRecent: IsRecent, work: Work<Reader, Result>): Promise<Result>;

  /** @internal */
  abstract close(): Promise<void>;
}
