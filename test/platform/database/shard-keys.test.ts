/** The keys of the ledger in the statements of all work, and the hot statements in docs/sql. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEPT_SUMS } from '../../../src/ledger/sums/kept-sums.repository.js';
import { doAllWork, operationsLeftOut } from '../../support/sql/all-works.js';
import { RecordedService } from '../../support/servers/recorded-service.js';
import { endAll } from '../../support/servers/running-service.js';
import { tableUsesOf } from '../../../testing/src/sql/table-uses.js';
import { UpstreamWorks } from '../../support/sql/works-of-upstreams.js';
import { hotStatements, sqlFile } from '../../support/sql/hot-statements.js';
import {
  namesWhose,
  statementKinds,
  type StatementKind,
} from '../../support/sql/statement-kinds.js';
import { dialect } from '../../support/sql/test-database.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

const MARIADB_FILES = 'docs/sql/mariadb';
const SQLITE_FILES = 'docs/sql/sqlite';
const ALL = 'all: it reads every row of the ledger';

/** Statements on the ledger without a vendor, each with its shards and the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'SELECT affiliate_day_sums by affiliate_id':
    'all: an affiliate sells for many vendors, whose ledgers are on different shards',
  'SELECT affiliate_sales, transactions by affiliate_id':
    'all, for the first and the last sale: if the vendor is named, MariaDB reads all sales of the vendor',
  'SELECT ledger_revisions by nothing': 'all: verify and retention go through every vendor',
  'SELECT ledger_revisions, transactions, users by affiliate_id, vendor_id':
    "all: an affiliate's sales are in the ledgers of many vendors",
  'SELECT ledger_revisions, users, webhook_endpoints by nothing':
    'all: each process looks for what is to be sent to the endpoints of all vendors',
  'SELECT transactions by affiliate_id':
    "all: an affiliate's sales, and the vendors whose answers show a renamed user",
  'SELECT transactions by transaction_id':
    'all, or one with a table of ids: an id of another vendor must be found to be refused',
  'SELECT transactions, users by affiliate_id':
    "all: an affiliate's sales are in the ledgers of many vendors",
  'SELECT transactions, users by affiliate_id, vendor_id':
    "all: a page of an affiliate's sales that begins or ends within a second of several vendors",
  'SELECT users, vendor_affiliates, vendor_users by nothing, vendor_id':
    'one: the names of affiliates that records gave to a vendor',
  'SELECT users, vendor_users by user_id':
    'one for each vendor whose source added users of the batch',
  'SELECT vendor_affiliates, vendor_users by affiliate_id, user_id':
    'all: what the operator says of a user takes the place of what the sources of vendors said',
  ...Object.fromEntries(
    [
      ...KEPT_SUMS.map(({ table }) => [table, 'transactions'].sort().join(', ')),
      'affiliate_day_sums, vendor_sums',
      'changed_records, ledger_revisions, transactions',
      'changed_records, transactions',
      'ledger_revisions, refund_counts',
      'ledger_revisions, transactions',
      'products, transactions',
      'refund_cohorts',
      'transactions',
      'unpaid_commissions',
      'vendor_sums',
    ].map((tables) => [`SELECT ${tables} by nothing`, ALL]),
  ),
  'SELECT transactions by nothing':
    'all: verify reads every row, and a search up to 10,000 ids, of all vendors, that begin alike',
};
/** Works whose statements may have the affiliate in place of the vendor. */
const OF_AFFILIATES = [
  'GET /ledger/v1/earnings/tracking',
  'GET /ledger/v1/figures',
  'GET /v2.0/latest-affiliates-transactions/{paykey}',
  'GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}',
  'reports of an affiliate',
  'earnings of an affiliate',
  'page of a transaction',
  'search of an affiliate',
  // A vendor may also be an affiliate of others.
  'search of a vendor',
];
/** Works that write records of any vendor. */
const WRITES_OF_RECORDS = [
  'import',
  'POST /ledger/v1/records',
  'upstreams run',
  'reading of upstreams',
  'users add',
];
/** Only extensions use the code in these files and folders. */
const OF_EXTENSIONS = ['src/ledger/changes/listeners/', 'src/ledger/reads/ledger-sales.'];
/** Only a customer with more than 10,000 sales needs these: test/modules/reports tests them. */
const OF_LARGE_CUSTOMERS = 'src/modules/reports/customers/customer-slices.repository.ts';
/** Code on which no statement depends: a default, an early return, an order. */
const WITHOUT_STATEMENT =
  /: (\?\.\w+$|`added_|\?\? |\? null$|[?:] -?1$|return (null|false|\[\]|\{ revision: 0, position: null \});$|continue;$|throw |function unknownUser\(|found\.push\(\{ figure, kept, actual: 0 \}\);$|wrong \+= 1;$|\? commission$|\(\) => Promise\.resolve\(false\)$)/;

let ledger: TestLedger;
let recorded: RecordedService;
let upstream: UpstreamWorks;
let kinds: readonly StatementKind[];
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([]);
  upstream = new UpstreamWorks();
  recorded = new RecordedService(ledger, await upstream.start());
  const { url } = ledger.database;
  await doAllWork(recorded, upstream, dialect === 'mysql' ? { DATABASE_REPLICA_URLS: url } : {});
  kinds = statementKinds(recorded.statements());
}, 600_000);
afterAll(async () => {
  await endAll();
  upstream.stop();
  await ledger.drop();
});

/**
 * The engine of kept sums and the model of tracking sums have parts for other work. Positions of
 * listeners, and sales as extensions read them, need an extension: test/ledger tests them.
 */
function hasStatements(file: string): boolean {
  if (OF_EXTENSIONS.some((path) => file.startsWith(path))) return false;
  if (file === OF_LARGE_CUSTOMERS) return false;
  return /\.repository\.ts$|^src\/ledger\/sums\/(?!kept-sum\.|tracking-sums\.)/.test(file);
}

function nameOf({ statement, keys }: StatementKind): string {
  return `${statement} by ${keys.join(', ')}`;
}

/** Returns the hot statements by file, for SQLite only the ones that it does not share. */
function hotFiles(): Record<string, string> {
  const files = [...hotStatements(recorded.statements())].map(
    ([name, statements]): [string, string] => {
      if (dialect === 'mysql') return [name, sqlFile(name, 'MySQL and MariaDB', statements)];
      const shared = readFileSync(`${MARIADB_FILES}/${name}.sql`, 'utf8');
      const others = [...statements].filter(([sql]) => !shared.includes(`\n${sql};\n`));
      return [name, others.length === 0 ? '' : sqlFile(name, 'SQLite', new Map(others))];
    },
  );
  return Object.fromEntries(files.filter(([, text]) => text !== ''));
}

function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder).map((file): [string, string] => [
    file.replace('.sql', ''),
    readFileSync(`${folder}/${file}`, 'utf8'),
  ]);
  return Object.fromEntries(files);
}

describe('all statements of the service', () => {
  it('run in this test: each operation, and each statement of a repository and of kept sums', () => {
    expect(operationsLeftOut(recorded.statements())).toEqual([]);
    const parts = recorded.neverRun(hasStatements).filter((part) => !WITHOUT_STATEMENT.test(part));
    expect(parts).toEqual([]);
  });

  it('name the vendor of each ledger that they touch, or have a listed reason', () => {
    const others = kinds.filter(
      ({ touchesLedger, keys }) => touchesLedger && keys.join() !== 'vendor_id',
    );
    expect(others.map(nameOf).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });

  it('name the affiliate only for rows of an affiliate, or if a user was renamed', () => {
    const ofAffiliates = kinds.filter(
      (kind) => kind.touchesLedger && namesWhose(kind) && kind.keys.includes('affiliate_id'),
    );
    const works = new Set(ofAffiliates.flatMap((kind) => kind.works));
    expect([...works].sort()).toEqual([...OF_AFFILIATES, ...WRITES_OF_RECORDS].sort());
  });

  it('use no named locks, no foreign keys and no order of auto-increment ids', () => {
    const statements = recorded.statements().map(({ sql }) => sql);
    const suspicious = /\b(GET_LOCK|RELEASE_LOCK|LOCK TABLES|FOREIGN KEY|REFERENCES)\b/i;
    expect(statements.filter((sql) => suspicious.test(sql))).toEqual([]);
    // Only the audit log is sorted by its numbers.
    const given = ['api_applications', 'audit_log'];
    const ordered = statements.filter(
      (sql) =>
        // The ids of users (u) come from the ledger.
        /ORDER BY (?!u\.)(\w+\.)?id\b/.test(sql) &&
        tableUsesOf(sql).some(({ table }) => given.includes(table)),
    );
    const tables = ordered.flatMap((sql) => tableUsesOf(sql).map(({ table }) => table));
    expect([...new Set(tables)].sort()).toEqual(['api_applications', 'api_keys', 'audit_log']);
  });

  it('are in docs/sql if they are hot; UPDATE_DOCS=on writes them there', () => {
    const folder = dialect === 'mysql' ? MARIADB_FILES : SQLITE_FILES;
    const files = hotFiles();
    if (process.env.UPDATE_DOCS === 'on') {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(`${folder}/${name}.sql`, text);
      }
    }
    expect(filesIn(folder)).toEqual(files);
  });
});
