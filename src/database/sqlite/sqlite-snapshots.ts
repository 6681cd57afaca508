import pLimit from 'p-limit';
import type { Reader } from '../database.js';
import type { SqliteStatements } from './sqlite-statements.js';
import type { SqliteTurns } from './sqlite-turns.js';

/**
 * Maximum number of snapshots at a time. An export keeps one while its client downloads it; further
 * readers wait.
 */
const MAX_CONNECTIONS = 12;
/** Maximum size of the cache of each connection, in KiB. */
const CACHE_KIB = 2_048;

/**
 * Runs series of reads that each see one state of the database, on connections of their own. In WAL
 * mode they do not block the writer, but the log cannot be reset before the last of them has ended.
 */
export class SqliteSnapshots {
  private readonly limit = pLimit(MAX_CONNECTIONS);
  private readonly idle: SqliteStatements[] = [];

  constructor(
    private readonly connect: () => SqliteStatements,
    private readonly turns: SqliteTurns,
  ) {}

  read<Result>(work: (snapshot: Reader) => Promise<Result>): Promise<Result> {
    return this.limit(async () => {
      const statements = this.idle.pop() ?? this.opened();
      try {
        statements.execute('BEGIN');
        return await work({
          select: (sql, values) => this.turns.run(() => statements.select(sql, values)),
        });
      } finally {
        statements.rollBack();
        this.idle.push(statements);
      }
    });
  }

  private opened(): SqliteStatements {
    const statements = this.connect();
    statements.connection.pragma(`cache_size = -${CACHE_KIB}`);
    return statements;
  }

  close(): void {
    for (const statements of this.idle.splice(0)) statements.close();
  }
}
