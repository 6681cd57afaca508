import SqliteConnection from 'better-sqlite3';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

const SQLITE = 'sqlite:';

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
  const connection = new SqliteConnection(path, { timeout: 10_000 });
  return {
    rows: (sql) => Promise.resolve(connection.prepare<[], RawRow>(sql).all()),
    run: (sql) => {
      connection.exec(sql);
      return Promise.resolve();
    },
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
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
