import { setTimeout as wait } from 'node:timers/promises';
import SqliteConnection from 'better-sqlite3';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

const SQLITE = 'sqlite:';
const LOCK_WAIT_MS = 60_000;
const LOOK_MS = 20;

export type RawValue = string | number | null;
export type RawRow = Readonly<Record<string, RawValue>>;

/** A connection that bypasses the service, to read stored rows and to tamper with them. */
export interface RawConnection {
  rows(sql: string): Promise<RawRow[]>;
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

export async function openRaw(url: string): Promise<RawConnection> {
  return url.startsWith(SQLITE) ? openSqlite(url.slice(SQLITE.length)) : openMysql(url);
}

function openSqlite(path: string): RawConnection {
  const connection = new SqliteConnection(path, { timeout: 100 });
  return {
    rows: (sql) => Promise.resolve(connection.prepare<[], RawRow>(sql).all()),
    run: (sql) => whenUnlocked(connection, () => connection.exec(sql)),
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

/**
 * Repeats a write until no other connection holds the lock. It waits between the attempts and not
 * in the driver, because the driver blocks the thread: a service in this process could then not
 * end the transaction that holds the lock. A transaction of the caller is not repeated.
 */
async function whenUnlocked(connection: SqliteConnection.Database, write: () => void) {
  const limit = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      write();
      return;
    } catch (error) {
      const isLocked =
        error instanceof SqliteConnection.SqliteError && error.code === 'SQLITE_BUSY';
      if (!isLocked || connection.inTransaction || performance.now() > limit) throw error;
    }
    await wait(LOOK_MS);
  }
}

async function openMysql(url: string): Promise<RawConnection> {
  const connection = await createConnection({
    uri: url,
    charset: 'utf8mb4',
    dateStrings: true,
    supportBigNumbers: true,
  });
  return {
    rows: async (sql) => {
      const [rows] = await connection.query<(RowDataPacket & RawRow)[]>(sql);
      return rows.map((row) => ({ ...row }));
    },
    run: async (sql) => {
      await connection.query(sql);
    },
    close: () => connection.end(),
  };
}
