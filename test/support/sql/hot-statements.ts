import { KEPT_SUMS } from '../../../src/ledger/sums/kept-sums.repository.js';
import type { SentStatement } from '../servers/recorded-service.js';
import { tableUsesOf } from '../../../testing/src/sql/table-uses.js';

/** The statements for one thing that the service does, as a file of docs/sql shows them. */
interface Group {
  readonly title: string;
  readonly has: (statement: HotStatement) => boolean;
  /** The callers, if it is accidental for which of them a statement is sent. */
  readonly callers?: string;
}

interface HotStatement {
  readonly sql: string;
  readonly tables: readonly string[];
  readonly works: ReadonlySet<string>;
}

const SUMS = new Set([
  'recurring_sums',
  'tracking_sums',
  'tracking_values',
  ...KEPT_SUMS.map(({ table }) => table),
]);
const WRITERS = ['import', 'POST /ledger/v1/records'];

/** Groups by the names of their files. A statement is in the first group that has it. */
const GROUPS: Readonly<Record<string, Group>> = {
  'key-look-up': {
    title: 'Finds the user and the application of an API key',
    has: ({ sql, works }) =>
      sql.includes('key_hash = ?') && [...works].some((work) => work.includes(' /')),
    callers: 'each request with a key',
  },
  revisions: {
    title: 'Reads, locks and raises the revisions of ledgers',
    has: ({ tables }) => tables.join() === 'ledger_revisions',
  },
  limits: {
    title: 'The limits of applications; requests are counted outside the database',
    has: ({ tables, works }) =>
      tables.includes('api_applications') && [...works].some((work) => work.startsWith('limits ')),
  },
  list: { title: 'The list of API 3.0', has: isRunBy('GET /v3.0/transactions') },
  transaction: {
    title: 'A single transaction of API 3.0, and the summary of API 2.0',
    has: isRunBy(
      'GET /v3.0/transactions/{transaction_id}',
      'GET /v2.0/transactions/summaries/{paykey}',
    ),
  },
  detail: {
    title: 'The detail of a transaction of API 2.1',
    has: isRunBy('GET /v2.1/transaction/details/{paykey}'),
  },
  statistics: {
    title: 'The statistics of an affiliate of API 2.1',
    has: isRunBy('GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}'),
  },
  feeds: {
    title: 'Both feeds of API 2.0',
    has: isRunBy(
      'GET /v2.0/latest-transactions/{paykey}',
      'GET /v2.0/latest-affiliates-transactions/{paykey}',
    ),
  },
  changes: { title: 'The changes of a ledger', has: isRunBy('GET /ledger/v1/changes') },
  'kept-sums': {
    title: 'Kept sums, as writers of the ledger keep them',
    has: (statement) =>
      isRunBy(...WRITERS)(statement) && statement.tables.some((table) => SUMS.has(table)),
  },
  writes: { title: 'Everything else of an import and a records batch', has: isRunBy(...WRITERS) },
};

/** Statements of the migrator, which depend on the added modules. */
const OF_MIGRATOR = /\b(sqlite_master|information_schema|\w*migrations?\w*)\b/i;

/** Whether a host can be read is asked only after a failure, which a busy machine may cause. */
const OF_HOSTS = /^SELECT MAX\(vendor_id\) FROM ledger_revisions$/;

/** Clauses that begin a line. */
const CLAUSES =
  /(?<=\()(?=SELECT\b)|(?<!\bDELETE|\bLEFT|\bCROSS) (?=(?:SELECT|FROM|WHERE|LEFT|CROSS|JOIN|UNION|GROUP BY|ORDER BY|LIMIT|SET|VALUES(?= )|ON DUPLICATE|ON CONFLICT|FOR UPDATE)\b)/;
/** Places where a long line may end. */
const BREAKS = /(?<=,) | (?=(?:AND|OR|WHEN|ELSE|END)\b)/;
const WIDTH = 100;
/** Number of callers that a comment names at most. */
const NAMED = 3;

function isRunBy(...names: readonly string[]): Group['has'] {
  return ({ works }) => names.some((name) => works.has(name));
}

/**
 * Returns the text of each statement, with a line about its callers, by the name of its group.
 * Statements that differ only in the number of values, rows or equal conditions are one.
 */
export function hotStatements(sent: readonly SentStatement[]): Map<string, Map<string, string>> {
  const groups = new Map(Object.keys(GROUPS).map((name) => [name, [] as HotStatement[]]));
  for (const statement of statementsOnce(sent)) {
    if (OF_MIGRATOR.test(statement.sql) || OF_HOSTS.test(statement.sql)) continue;
    const found = Object.entries(GROUPS).find(([, group]) => group.has(statement));
    if (found !== undefined) groups.get(found[0])?.push(statement);
  }
  return new Map(
    [...groups].map(([name, statements]) => [
      name,
      new Map(
        fullest(statements).map(({ sql, works }) => [
          formatted(sql),
          `-- ${GROUPS[name]?.callers ?? listed(works)}`,
        ]),
      ),
    ]),
  );
}

/** Returns the text of a file with statements. */
export function sqlFile(name: string, database: string, statements: ReadonlyMap<string, string>) {
  const all = [...statements].map(([sql, callers]) => `\n${callers}\n${sql};\n`);
  return `-- ${database}: ${GROUPS[name]?.title ?? name}. docs/testing.md describes this file.\n${all.join('')}`;
}

function statementsOnce(sent: readonly SentStatement[]): HotStatement[] {
  const all = new Map<
    string,
    { readonly tables: readonly string[]; readonly works: Set<string> }
  >();
  for (const { sql, work } of sent) {
    const text = withoutRepeats(sql);
    const tables = [...new Set(tableUsesOf(text).map(({ table }) => table))];
    if (tables.length === 0 || tables.includes('migrations')) continue;
    const { works } = all.get(text) ?? { works: new Set() };
    all.set(text, { tables, works: works.add(work) });
  }
  return [...all]
    .map(([sql, statement]) => ({ sql, ...statement }))
    .sort((a, b) => (a.sql < b.sql ? -1 : 1));
}

/** Leaves one of several equal values, rows, conditions, cases, and queries of a UNION. */
function withoutRepeats(sql: string): string {
  const text = sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\() | (?=\))/g, '')
    .trim()
    .replaceAll(/\bIN \(\?(?:, ?\?)+\)/g, 'IN (?)')
    .replaceAll(/(\((?:[^()]|\([^()]*\))*\))(?:(?:, ?| OR )\1)+/g, '$1')
    .replaceAll(/( WHEN (?:(?! WHEN | END).)* THEN \?)\1+/g, '$1');
  const queries = new Map<string, string>();
  for (const query of text.split(/ (?=UNION )/)) {
    const key = query.replace(/^UNION (?:ALL )?/, '').replaceAll(/\d+/g, '');
    if (!queries.has(key)) queries.set(key, query);
  }
  return [...queries.values()].join(' ');
}

/**
 * Leaves one of the statements that insert into the same table: the one with the most columns. A
 * batch leaves out columns that no row of it has.
 */
function fullest(statements: readonly HotStatement[]): HotStatement[] {
  const kept = new Map<string, HotStatement>();
  for (const statement of statements) {
    const { sql, works } = statement;
    const key = sql.replace(/^(INSERT INTO \w+) ?\([^)]*\) VALUES \([^)]*\)/, '$1');
    const before = kept.get(key);
    const { sql: longer } =
      before !== undefined && before.sql.length > sql.length ? before : statement;
    kept.set(key, {
      ...statement,
      sql: longer,
      works: new Set([...(before?.works ?? []), ...works]),
    });
  }
  return [...kept.values()];
}

function listed(works: ReadonlySet<string>): string {
  const names = [...works].sort();
  const others = names.length - NAMED;
  return others <= 1
    ? names.join(', ')
    : `${names.slice(0, NAMED).join(', ')}, and ${others} others`;
}

/** Writes a clause on each line, indented by the parentheses around it. */
function formatted(sql: string): string {
  let depth = 0;
  const lines = sql.split(CLAUSES).flatMap((clause) => {
    const indent = '  '.repeat(depth);
    depth += clause.split('(').length - clause.split(')').length;
    return wrapped(clause, indent);
  });
  return lines.join('\n');
}

function wrapped(clause: string, indent: string): string[] {
  const lines = [indent];
  for (const part of clause.split(BREAKS)) {
    const line = lines.at(-1) ?? '';
    const joined = line.trim() === '' ? line + part : `${line} ${part}`;
    if (joined.length <= WIDTH || line.trim() === '') lines[lines.length - 1] = joined;
    else lines.push(`${indent}  ${part}`);
  }
  return lines;
}
