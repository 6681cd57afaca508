import { FOREIGN } from './access-matrix.js';
import { CheckedService, type CheckOptions } from './checked-service.js';
import type { Row } from '../ledger/access-row.js';
import type { StartedService } from '../host.js';
import type { TestService } from '../service/test-service.js';
import { tableUsesOf, type TableUse } from '../sql/table-uses.js';
import { throwAll } from './problems.js';

const VENDOR = 'vendor_id';

export interface StatementOptions extends CheckOptions {
  /** Work of the extension besides its operations, such as a page or a command, by name. */
  readonly works?: Readonly<Record<string, (service: TestService) => Promise<unknown>>>;
  /**
   * Statements that may name no vendor, by verb and tables in alphabetical order, such as
   * `SELECT notes, transactions`, each with the reason.
   */
  readonly allowed?: Readonly<Record<string, string>>;
}

/**
 * Records each SQL statement of the operations, of `works` and of the listeners. Each statement on
 * a table of the ledger, or on a table of the extension with a column `vendor_id`, must name the
 * vendor by a value: in the columns of an INSERT, or as `vendor_id = ?` in its conditions.
 * @throws Error that lists all problems
 */
export async function checkStatements(
  service: TestService,
  rows: readonly Row[],
  options: StatementOptions = {},
): Promise<void> {
  const checked = await CheckedService.of(service, rows, options);
  throwAll('checkStatements', await statementProblems(checked, options));
}

export async function statementProblems(
  checked: CheckedService,
  { works = {}, allowed = {} }: StatementOptions,
): Promise<string[]> {
  const { service } = checked;
  const tables = await vendorTables(service.started);
  const unused = new Set(Object.keys(allowed));
  const problems = new Map<string, string>();
  const add = (work: string, statements: readonly string[]) => {
    for (const sql of statements) {
      const kind = kindOf(sql);
      const wrong = tablesWithoutVendor(sql, tables);
      if (wrong.length === 0) continue;
      if (Object.hasOwn(allowed, kind)) unused.delete(kind);
      else if (!problems.has(sql))
        problems.set(sql, `${work}: ${kind} names no vendor for ${wrong.join(', ')}: ${sql}`);
    }
  };
  for (const row of checked.rows) {
    add(row.operation, await service.statementsDuring(() => workOf(checked, row)));
  }
  for (const [name, work] of Object.entries(works)) {
    add(name, await service.statementsDuring(() => work(service)));
  }
  const statements = [...unused].map((kind) => `the allowed statement ${kind} was not sent`);
  return [...problems.values(), ...statements];
}

/** Sends the requests of a row, for own and for foreign records, and waits for the listeners. */
async function workOf(checked: CheckedService, row: Row): Promise<void> {
  for (const access of row.allows) {
    await checked.refill(row);
    await checked.ask(row, 'vendor', access);
  }
  await checked.ask(row, 'nobody', 'vendor');
  for (const { of, who } of FOREIGN) await checked.ask(row, of, who);
  await checked.refill(row);
  await checked.service.settled();
}

/** Returns the tables of the ledger and of the extension whose rows belong to a vendor. */
async function vendorTables(started: StartedService): Promise<ReadonlySet<string>> {
  const stored = await started.storedRows();
  const own = started.extension.tables.filter((table) => {
    const [row] = stored[table] ?? [];
    return row === undefined || VENDOR in row;
  });
  return new Set([...started.ledgerTables, ...own]);
}

function tablesWithoutVendor(sql: string, tables: ReadonlySet<string>): string[] {
  const uses = usesOf(sql);
  const wrong = uses.filter(({ table, named }) => tables.has(table) && !named.has(VENDOR));
  // The analysis understands keywords in upper case; no statement may escape it.
  const words = new Set(sql.toLowerCase().match(/[a-z_][a-z0-9_]*/g));
  const unread = [...tables].filter(
    (table) => words.has(table) && !uses.some((use) => use.table === table),
  );
  return [...new Set([...wrong.map(({ table }) => table), ...unread])].sort();
}

/** Returns the uses of tables, those of a query whose rows are inserted included. */
function usesOf(sql: string): TableUse[] {
  const query = /^\s*(?:INSERT|REPLACE)\b[\s\S]*?\b(SELECT\b[\s\S]*)/.exec(sql)?.[1];
  return [...tableUsesOf(sql), ...(query === undefined ? [] : tableUsesOf(query))];
}

function kindOf(sql: string): string {
  const [verb = ''] = /\w+/.exec(sql.replace(/^\s*WITH/, 'SELECT')) ?? [];
  const tables = new Set(usesOf(sql).map(({ table }) => table));
  return `${verb.toUpperCase()} ${[...tables].sort().join(', ')}`;
}
