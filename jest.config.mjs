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

/** Contract and data tests run once on each database, unit tests need none; test/mysql is MySQL's own. */
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

/** What the clients of test/clients see is the same on each database. */
const FOLDERS = {
  sqlite: ['contract', 'data', 'clients', 'sqlite'],
  mysql: ['contract', 'data', 'mysql'],
};

/** What makes the database that the databases of the tests are copies of, and drops it. */
const TEMPLATES = {
  sqlite: { globalSetup: '<rootDir>/test/runtime/template-of-sqlite.mjs' },
  mysql: {
    globalSetup: '<rootDir>/test/runtime/template-of-mysql.mjs',
    globalTeardown: '<rootDir>/test/runtime/drop-template-of-mysql.mjs',
  },
};

const onDatabase = (dialect) => ({
  ...shared,
  ...TEMPLATES[dialect],
  displayName: dialect,
  testMatch: FOLDERS[dialect].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
  globals: { TEST_DIALECT: dialect },
});

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
  ...TEMPLATES.mysql,
  displayName: 'cluster',
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  globals: { TEST_DIALECT: 'mysql' },
};

export default {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
    onDatabase('sqlite'),
    ...(process.env.TEST_MYSQL_URL ? [onDatabase('mysql'), faults] : []),
    ...(process.env.TEST_CHROMIUM ? [browser] : []),
    ...(process.env.TEST_CLUSTER ? [cluster] : []),
  ],
  reporters: ['default', '<rootDir>/test/support/processes/closing-line.reporter.mjs'],
  testTimeout: 120_000,
  // Many wait more than they work: for commands, for browsers, for the end of a window.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Node keeps the modules of every file that a worker has run: near 5 GB each at the end of a run.
  workerIdleMemoryLimit: '1GB',
};
