import { realpath, rm, writeFile } from 'node:fs/promises';
import SqliteConnection from 'better-sqlite3';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { codeOf } from '../../common/errors/is-error.js';
import type {
  DatabaseSettings,
  MysqlHost,
  MysqlSettings,
} from '../../config/settings/database-url.js';
import { retryWhileBusy } from '../../database/sqlite/sqlite-busy.js';

const ANSWER_MS = 1_000;
/** Several hosts are tried after one that was silent, and all of it must take less than 2 s. */
const CONNECT_TO_SEVERAL_MS = 500;
/** Whoever asks within this time is told the same. */
const KEPT_MS = 500;

interface Probed {
  readonly answers: boolean;
  /** Why it does not, or can not be written: a code of the driver or of the system. */
  readonly fault: string | null;
  /** How many transactions ever came into the ledger, or null where that could not be read. */
  readonly arrivals: number | null;
}

/** More than a small transaction takes. */
const TRIED = Buffer.alloc(65_536);
const ARRIVALS = 'SELECT MAX(last_arrival) FROM ledger_arrivals';

/** Asks the database on a connection of its own, so that it answers while all others are busy. */
export class DatabaseProbe {
  private connection: Connection | null = null;
  private latest: { readonly at: number; readonly probed: Probed } | null = null;
  private pending: Promise<Probed> | null = null;

  constructor(private readonly settings: DatabaseSettings) {}

  /** One question at a time, whoever asks meanwhile; each is answered within its time. */
  async probe(): Promise<Probed> {
    if (this.latest !== null && performance.now() - this.latest.at < KEPT_MS) {
      return this.latest.probed;
    }
    this.pending ??= this.ask().finally(() => (this.pending = null));
    return this.pending;
  }

  close(): void {
    this.connection?.destroy();
    this.connection = null;
  }

  private async ask(): Promise<Probed> {
    const { settings } = this;
    const asked =
      settings.dialect === 'sqlite' ? askSqlite(settings.path) : this.askMysql(settings);
    const probed = await asked.then(
      (arrivals) => ({ answers: true, fault: null, arrivals }),
      (error: unknown) => ({ answers: false, fault: codeOf(error) ?? null, arrivals: null }),
    );
    this.latest = { at: performance.now(), probed };
    return probed;
  }

  /** Of several hosts any is good enough, one that answered before is asked first. */
  private async askMysql(settings: MysqlSettings): Promise<number> {
    if (this.connection !== null) {
      try {
        return await arrivalsBy(this.connection);
      } catch (error) {
        this.close();
        if (settings.hosts.length === 1) throw error;
      }
    }
    const asked = settings.hosts.map((host) => this.askHost(settings, host));
    return Promise.any(asked);
  }

  private async askHost(
    { hosts, user, password, database, tls }: MysqlSettings,
    host: MysqlHost,
  ): Promise<number> {
    const connectTimeout = hosts.length === 1 ? ANSWER_MS : CONNECT_TO_SEVERAL_MS;
    const address = { ...host, user, password, database, ...tls };
    const connection = await createConnection({ ...address, connectTimeout });
    // A loss is found out by the next question.
    connection.on('error', () => undefined);
    try {
      const arrivals = await arrivalsBy(connection);
      if (this.connection === null) this.connection = connection;
      else connection.destroy();
      return arrivals;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }
}

async function arrivalsBy(connection: Connection): Promise<number> {
  const question = { sql: ARRIVALS, rowsAsArray: true, timeout: ANSWER_MS };
  const [rows] = await connection.query<RowDataPacket[][]>(question);
  return numberIn(rows);
}

/** Reads the file, and writes beside it: where that has no room, a transaction has none either. */
async function askSqlite(path: string): Promise<number> {
  const beside = `${await realpath(path)}-probe`;
  await writeFile(beside, TRIED);
  await rm(beside, { force: true });
  const connection = new SqliteConnection(path, {
    readonly: true,
    fileMustExist: true,
    timeout: 0,
  });
  try {
    return await retryWhileBusy(
      () => numberIn(connection.prepare(ARRIVALS).raw().all()),
      ANSWER_MS,
    );
  } finally {
    connection.close();
  }
}

/** The one number of a result; 0 where nothing has arrived yet. */
function numberIn(rows: readonly unknown[]): number {
  const [row] = rows;
  return Array.isArray(row) && typeof row[0] === 'number' ? row[0] : 0;
}
