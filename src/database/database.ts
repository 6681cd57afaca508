import type { EntityManager } from 'typeorm';
import type { Dialect } from './dialect.js';
import type { Outcome } from './transaction-end.js';

/** What a statement takes: text, whole numbers, or nothing; it gives numbers below 2^53 only. */
export type SqlValue = string | number | bigint | null;

/** A row as an array, in the order of the selected columns: the cheapest form that drivers give. */
export type SqlRow = readonly SqlValue[];

export interface Reader {
  /**
   * Runs a SELECT as a prepared statement.
   * @typeParam Row names and types of the selected columns; the caller vouches for them
   */
  select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
}

/** What reads entities, too. */
export interface EntityReader extends Reader {
  /** TypeORM on the same connections; only that of a session writes. */
  readonly manager: EntityManager;
}

/** One transaction of the database, in which everything written becomes visible at once. */
export interface Session extends EntityReader {
  readonly dialect: Dialect;
  /** Runs a statement that writes. @returns how many rows it touched, counted the driver's way */
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
  /**
   * Has `effect` called once when the transaction was committed, or may have been; never where it was
   * undone or is begun anew. An effect must not fail.
   */
  onEnd(effect: (outcome: Outcome) => void): void;
}

/** Runs `work` in a transaction, and gives what it gives. */
export type InTransaction = <Result>(
  work: (session: Session) => Promise<Result>,
) => Promise<Result>;

/** The one way from a repository to the database, the same for every dialect. */
export abstract class Database implements EntityReader {
  abstract readonly dialect: Dialect;
  abstract readonly manager: EntityManager;

  /** Reads what was last committed; each call sees one moment of its own. */
  abstract select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;

  /**
   * Runs `work` in one transaction that sees what others committed meanwhile, and commits it.
   * A deadlock, a lock wait or a lost race begins it anew, so `work` must have no effect but
   * through its session.
   * @throws UnknownOutcomeError where the database is lost while it commits
   */
  abstract write<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;

  /**
   * As `write`, and where nobody knows whether it was committed, `work` is begun anew. So it must find
   * out by itself what was done already; it wins over whoever came in between, as if it had come later.
   */
  writeIdempotent<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.write(work);
  }

  /**
   * Lends a connection on which each transaction reads what is committed by then, and locks nothing. It
   * may write to `table` alone, which nobody else sees and which ends with `work`.
   * @param table the CREATE TEMPORARY TABLE: on the disk of the database, and not in memory
   */
  abstract dryRun<Result>(
    table: string,
    work: (inTransaction: InTransaction) => Promise<Result>,
  ): Promise<Result>;

  /** True where `readRecent` may read elsewhere; else nobody need find out how recent is enough. */
  readonly hasReplicas: boolean = false;

  /**
   * Reads from a replica for which `isRecent` holds, or from the database itself where there is none.
   * @param isRecent asks the replica whether it has what the caller has seen
   * @param work only reads; it may be begun anew, from the database itself
   */
  readRecent<Result>(
    _isRecent: (replica: Reader) => Promise<boolean>,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    return work(this);
  }

  /** Closes every connection. */
  abstract close(): Promise<void>;
}
