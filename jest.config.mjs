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
  // The temporary folder is deleted with the run, so the cache is not there.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // Only `--findRelatedTests` needs this: a file is imported by its compiled name.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': swc({}),
    '\\.tsx$': swc({ tsx: true }),
  },
};

/**
 * Every test in these folders runs on SQLite, except those of MYSQL_IF_THERE, and `*.unit.test.ts`,
 * which need no database.
 */
const ON_SQLITE = [
  'clients',
  'contract',
  'kit',
  'ledger',
  'modules',
  'platform',
  'sqlite',
  'start',
];

/**
 * Folders, and files without their extension, that also run on MySQL or MariaDB, because they test
 * SQL, transactions or errors of the database. For all others, mysql/same-as-sqlite compares the
 * answers and pages on both databases.
 */
const ALSO_ON_MYSQL = [
  // These test the lists, counts, feeds, statistics and writes of the three versions.
  'contract/v3.0/{list,list.*,pages,single,stored-json}',
  'contract/v2.1/{affiliate*,product-names,relationship-write,relationship-write-together}',
  // Only MySQL limits texts to the width of their column.
  'contract/v2.1/relationship-write-fields',
  'modules/accounts/applications',
  'contract/v2.1/transaction-details',
  'contract/v2.0/{affiliates,feed-items,latest-*,recurring-payment,summaries}',
  'contract/v2.0/{recurring-cancel,recurring-cancel-together}',
  // These test changes, exports and records, each from one snapshot or in one transaction.
  'contract/ledger-1/{changes,changes.property,parties,queries,reasons}',
  'modules/exports/{command,exports}',
  'modules/transactions/queries',
  'modules/records-in/{provisional-records,records-over-http,seen-affiliates,vendor-source}',
  'modules/records-in/sources-command',
  // These use a confirmation at two instances at once, and walk over three.
  'modules/mcp/{confirmation,masked}',
  'modules/mirror/pages',
  'modules/webhooks/{endpoints,pages}',
  // These test the SQL of reports and searches, and its plans.
  'modules/reports/{*.property,explain-*,filtered-lists,report-lists,search}',
  'modules/reports/{account-cohorts,account-reports,account-comparison,tracking-pages,own-tracking}',
  'modules/reports/pages-and-figures',
  'contract/statements',
  // This tests pages in the order of an index, newest first.
  'modules/audit/activity',
  // These test simultaneous transactions of pages, and a plan for each page of a list.
  'modules/accounts/{session-races,users-together,code-limits}',
  'modules/recurring/{subscriptions,subscription-names}',
  'modules/reports/{affiliates,customers,search-page}',
  // Errors of the database must not quote stored data.
  'contract/access/{leaks,leaks-of-commands}',
  'contract/http/internal-error',
  // These write, update, verify, move and erase whole ledgers.
  'modules/records-in/{any-order,faults,kill,together}',
  'modules/records-in/{display-name,fitted-texts,overruled,record-version,records,references}',
  'modules/records-in/{replace,sources,transaction-record,transaction-warnings,values}',
  'modules/privacy/{erase,erase-together,erasures-file,extension-rows,extension-reads,replay,spellings}',
  'modules/privacy/{retention,retention-commands}',
  'ledger/{changes,sums}',
  'platform/database',
  'modules/accounts/keys-rewrap',
  'mysql',
];

/**
 * These run on MySQL or MariaDB if it is available, and otherwise on SQLite, because one database
 * is enough.
 */
const MYSQL_IF_THERE = [
  // This tests the metrics of connections, which SQLite does not have.
  'contract/operations/management',
  // This tests the statements of all operations.
  'platform/database/shard-keys',
];

const hasMysql = process.env.TEST_MYSQL_URL !== undefined;

/** Scripts that create and drop the database that each test copies. */
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
  testPathIgnorePatterns: ['\\.unit\\.test\\.ts$'],
  globals: { TEST_DIALECT: dialect },
});

const sqlite = onDatabase('sqlite', ON_SQLITE);
const onSqlite = {
  ...sqlite,
  testPathIgnorePatterns: [
    ...sqlite.testPathIgnorePatterns,
    ...(hasMysql ? MYSQL_IF_THERE.map((path) => `/test/${path}\\.test\\.ts$`) : []),
  ],
};
const onMysql = onDatabase('mysql', [...ALSO_ON_MYSQL, ...MYSQL_IF_THERE]);

/** Tests that start and kill servers of their own. */
const faults = {
  ...shared,
  ...TEMPLATES.mysql,
  displayName: 'faults',
  testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
  globals: { TEST_DIALECT: 'mysql' },
};

/** Tests in a real browser, on one database, because the layout of pages does not depend on it. */
const browser = {
  ...shared,
  ...TEMPLATES.sqlite,
  displayName: 'browser',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  globals: { TEST_DIALECT: 'sqlite' },
};

/** Tests that need a network of their own: see scripts/test-cluster.mjs. */
const cluster = {
  ...shared,
  displayName: 'cluster',
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  globals: { TEST_DIALECT: 'mysql' },
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.unit.test.ts'],
    },
    onSqlite,
    ...(hasMysql ? [onMysql, faults] : []),
    ...(process.env.TEST_CHROMIUM ? [browser] : []),
    ...(process.env.TEST_CLUSTER ? [cluster] : []),
  ],
  reporters: ['default', '<rootDir>/test/support/processes/closing-line.reporter.mjs'],
  // A busy machine may need ten times as long as an idle one.
  testTimeout: 300_000,
  // Many tests mostly wait: for commands, for browsers, for the end of a window.
  maxWorkers: Math.ceil(availableParallelism() * 2.5),
  // Node keeps the modules of every file that a worker has run, which adds up to gigabytes.
  workerIdleMemoryLimit: '2GB',
};
