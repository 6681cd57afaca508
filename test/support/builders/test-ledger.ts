import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli, type CliOptions, type Ended } from '../processes/cli.js';
import { openRaw, type RawConnection, type RawRow } from '../sql/raw-connection.js';
import { createTestDatabase, dialect, type TestDatabase } from '../sql/test-database.js';

/** Number of lines that an import applies together. */
export const BATCH_LINES = 2_000;

/** One line of a ledger file: a record, or text or bytes that are written unchanged. */
export type Line = object | string | Buffer;

/** All rows of each table in the order of its key, without the time of their last change. */
export type Dump = Readonly<Record<string, readonly RawRow[]>>;

/** Tables of a ledger, each with the order of its rows. */
const LEDGER_TABLES = {
  users: 'id',
  products: 'id',
  affiliations: 'affiliate_id, product_id',
  daily_clicks: 'affiliate_id, product_id, date',
  recurring_payments: 'pre_key',
  transactions: 'vendor_id, arrival',
  payout_items: 'vendor_id, arrival, position',
  ledger_revisions: 'vendor_id',
  ledger_arrivals: 'id',
  sale_counts: 'vendor_id, sale_day',
  refund_counts: 'vendor_id, refund_day, sale_day',
  affiliate_sales: 'affiliate_id, product_id',
  vendor_sums: 'vendor_id, series, kind, day, item_id',
  affiliate_day_sums: 'vendor_id, kind, day, affiliate_id, product_id',
  refund_cohorts: 'vendor_id, series, item_id, sale_month, refund_month, kind',
  unpaid_commissions: 'vendor_id, series, day, affiliate_id',
} as const;

/** A database of the test's own, which it fills and reads with commands and raw SQL. */
export class TestLedger {
  private opened: RawConnection | undefined;

  private constructor(readonly database: TestDatabase) {}

  /** Creates a database without a schema; the first command migrates it. */
  static async create(): Promise<TestLedger> {
    return new TestLedger(await createTestDatabase());
  }

  /** Reads a database that another object owns. Close it, but do not drop it. */
  static on(database: TestDatabase): TestLedger {
    return new TestLedger(database);
  }

  async close(): Promise<void> {
    await this.opened?.close();
  }

  async drop(): Promise<void> {
    await this.close();
    await this.database.drop();
  }

  cli(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
    return runCli(this.database.url, args, options);
  }

  /** Imports lines from standard input. */
  import(lines: readonly Line[], ...options: string[]): Promise<Ended> {
    return this.cli(['import', '-', ...options], { input: bytesOf(lines) });
  }

  /**
   * Imports lines.
   * @throws Error with the problems if a line is rejected
   */
  async mustImport(lines: readonly Line[]): Promise<Ended> {
    const result = await this.import(lines);
    if (result.status !== 0) throw new Error(`${String(result.status)}: ${result.stderr}`);
    return result;
  }

  /**
   * Creates an API application for a user in the ledger.
   * @returns its key
   */
  key(user_id: number): Promise<string> {
    return this.createKey('--user', String(user_id), '--name', 'tests');
  }

  /**
   * Creates a source that may write for every vendor.
   * @returns its key
   */
  sourceKey(): Promise<string> {
    return this.createKey('--source', 'tests');
  }

  /**
   * Writes a file in the test's own folder.
   * @returns its path
   */
  file(name: string, content: Buffer | string): string {
    const path = join(this.database.folder, name);
    writeFileSync(path, content);
    return path;
  }

  async rows(sql: string): Promise<RawRow[]> {
    return (await this.raw()).rows(sql);
  }

  async run(sql: string): Promise<void> {
    await (await this.raw()).run(sql);
  }

  async dump(): Promise<Dump> {
    const tables: Record<string, readonly RawRow[]> = {};
    for (const [table, order] of Object.entries(LEDGER_TABLES)) {
      const rows = await this.rows(`SELECT * FROM ${table} ORDER BY ${order}`);
      tables[table] = rows.map(withoutTime);
    }
    return tables;
  }

  /** Returns every row of every table as text, one row a line. */
  async everything(): Promise<string> {
    const tables = await this.rows(
      dialect === 'sqlite'
        ? "SELECT name FROM sqlite_master WHERE type = 'table'"
        : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    const rows = await Promise.all(
      tables.map(async ({ name }) => [name, ...(await this.rows(`SELECT * FROM ${name ?? ''}`))]),
    );
    return rows.flatMap((table) => table.map((row) => JSON.stringify(row))).join('\n');
  }

  private async createKey(...options: string[]): Promise<string> {
    const { stdout } = await this.cli(['keys', 'create', ...options, '--json']);
    return (JSON.parse(stdout) as { key: string }).key;
  }

  private async raw(): Promise<RawConnection> {
    return (this.opened ??= await openRaw(this.database.url));
  }
}

/** Returns a ledger file with these lines, each ended by a newline. */
export function bytesOf(lines: readonly Line[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [bytesOfLine(line), Buffer.from('\n')]));
}

/** Returns the problems that an import reported, by line number. */
export function problemsOf({ stderr }: Ended): Map<number, string> {
  const problems = new Map<number, string>();
  for (const told of stderr.split('\n').filter((text) => text !== '')) {
    const [, line, problem] = /^line (\d+): (.+)$/.exec(told) ?? [];
    if (line === undefined || problem === undefined) throw new Error(`not a problem: ${told}`);
    problems.set(Number(line), problem);
  }
  return problems;
}

type Counts = Readonly<Record<'inserted' | 'updated' | 'unchanged' | 'stale' | 'rejected', number>>;

/** Returns the summary that an import with `--json` printed. */
export function summaryOf({ stdout }: Ended): Readonly<Record<string, Counts>> {
  return JSON.parse(stdout) as Record<string, Counts>;
}

function bytesOfLine(line: Line): Buffer {
  if (Buffer.isBuffer(line)) return line;
  return Buffer.from(typeof line === 'string' ? line : JSON.stringify(line));
}

/**
 * Returns a row of a dump without its time of change, and without the position up to which changes
 * are added to the sums by tracking field. That position depends on the batches; `verify` compares
 * the sums.
 */
export function withoutTime({
  changed_at: _whenever,
  tracked_sequence: _steps,
  ...row
}: RawRow): RawRow {
  return row;
}
