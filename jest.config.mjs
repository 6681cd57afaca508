import { availableParallelism } from 'node:os';

const swc = (parser) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true, ...parser },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

const shared = {
  rootDir: import.meta.dirname,
  runtime: '<rootDir>/test/runtime/runtime.mjs',
  testEnvironment: '<rootDir>/test/runtime/environment.mjs',
  injectGlobals: false,
  // What is in the temporary folder goes with the run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // For `--findRelatedTests` alone: a file is imported by the name that it has once it is compiled.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': swc({}),
    '\\.tsx$': swc({ tsx: true }),
  },
};

/** Every test of these folders runs on SQLite, apart from those of MYSQL_IF_THERE. */
const ON_SQLITE = ['contract', 'data', 'clients', 'sqlite'];

/**
 * Folders, and files without their ending, that run on MySQL or MariaDB as well: SQL, transactions, or
 * errors of the database are what they prove. For all others, mysql/same-as-sqlite compares the
 * answers and pages of one database with those of the other.
 */
const ALSO_ON_MYSQL = [
  // Lists, counts, feeds, statistics, and writes of the three versions.
  'contract/v3.0/{list,list.*,pages,single,stored-json}',
  'contract/v2.1/{affiliate*,product-names,relationship-write,relationship-write-together}',
  // Only MySQL holds texts to the width of their column.
  'contract/v2.1/relationship-write-fields',
  'contract/account/{applications,upstream,webhooks}',
  'contract/v2.1/transaction-details',
  'contract/v2.0/{affiliates,feed-items,latest-*,recurring-payment,summaries}',
  'contract/v2.0/{recurring-cancel,recurring-cancel-together}',
  // Changes, exports and records, each from one snapshot or in one transaction.
  'contract/ledger-1/{changes,changes.property,exports,provisional-records,records}',
  'contract/ledger-1/{seen-affiliates,vendor-source,webhooks}',
  // The SQL of reports and searches, and how the database reads for it.
  'contract/reports/{*.property,explain-*,filtered-lists,report-lists,search}',
  'contract/reports/{account-cohorts,account-reports,account-comparison,tracking-pages}',
  'contract/statements',
  // Transactions of pages that meet, and a plan for each page of a list.
  'contract/account/{session-races,users-together,code-limits,search,subscriptions,affiliates}',
  // Errors of the database must quote nothing of what it holds.
  'contract/access/{leaks,leaks-of-commands}',
  'contract/http/internal-error',
  // Whole ledgers: what is written, kept up to date, checked, moved and erased.
  'data/import/{any-order,faults,kill,together}',
  'data/people/{erase,erase-together,erasures-file,replay,spellings}',
  'data/records',
  'data/retention',
  'data/schema',
  'data/sums',
  'data/commands/{export,keys-rewrap,sources-command}',
  'mysql',
];

/** They run on MySQL or MariaDB if it is there, and otherwise on SQLite: one database proves them. */
const MYSQL_IF_THERE = [
  // The metrics of connections, which SQLite does not have.
  'contract/operations/management',
  // The statements of all operations.
  'data/schema/shard-keys',
];

const hasMysql = process.env.TEST_MYSQL_URL !== undefined;

/** These make the database that each test's database is a copy of, and drop it. */
const TEMPLATES = {
  sqlite: { globalSetup: '<rootDir>/test/runtime/template-of-sqlite.mjs' },
  mysql: {
    globalSetup: '<rootDir>/test/runtime/template-of-mysql.mjs',
    globalTeardown: '<rootDir>/test/runtime/drop-template-of-mysql.mjs',
  },
};

const onDatabase = (dialect, tests) => ({
  ...shared,
  ...TEMPLATES[dialect],
  displayName: dialect,
  testMatch: tests.flatMap((path) => [
    `<rootDir>/test/${path}/**/*.test.ts`,
    `<rootDir>/test/${path}.test.ts`,
  ]),
  globals: { TEST_DIALECT: dialect },
});

const onSqlite = {
  ...onDatabase('sqlite', ON_SQLITE),
  testPathIgnorePatterns: hasMysql
    ? MYSQL_IF_THERE.map((path) => `/test/${path}\\.test\\.ts$`)
    : [],
};
const onMysql = onDatabase('mysql', [...ALSO_ON_MYSQL, ...MYSQL_IF_THERE]);

/** They start servers of their own, and kill them. */
const faults = {
  ...shared,
  ...TEMPLATES.mysql,
  displayName: 'faults',
  testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
  globals: { TEST_DIALECT: 'mysql' },
};

/** In a real browser; what the pages show does not hang on the database. */
const browser = {
  ...shared,
  ...TEMPLATES.sqlite,
  displayName: 'browser',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  globals: { TEST_DIALECT: 'sqlite' },
};

/** Needs a network of its own: see scripts/test-cluster.mjs. */
const cluster = {
  ...shared,
  displayName: 'cluster',
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  globals: { TEST_DIALECT: 'mysql' },
};

export default {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
    onSqlite,
    ...(hasMysql ? [onMysql, faults] : []),
    ...(process.env.TEST_CHROMIUM ? [browser] : []),
    ...(process.env.TEST_CLUSTER ? [cluster] : []),
  ],
  reporters: ['default', '<rootDir>/test/support/processes/closing-line.reporter.mjs'],
  // A busy machine may need ten times as long as an idle one.
  testTimeout: 300_000,
  // Many wait more than they work: for commands, for browsers, for the end of a window.
  maxWorkers: Math.ceil(availableParallelism() * 2.5),
  // Node keeps the modules of every file that a worker has run: near 5 GB each at the end of a run.
  workerIdleMemoryLimit: '2GB',
};
