// Selects the contract tests that find a mistake soonest, by the changed files. Every operation
// passes through the whole service, so the imports do not show it.
// test/project/test-areas.unit.test.ts compares this list with the folders.

/** These tests always run. */
export const EVERYWHERE = ['http/errors', 'http/headers', 'access/access-matrix', 'v3.0/list'];

/** Maps the beginning of a path to tests in test/contract, or in test/modules. */
export const AREAS = {
  'src/api/access/': [
    'access/access',
    'access/keys',
    'access/key-life',
    'access/wrong-keys',
    'limits/wait',
  ],
  'src/platform/limits/': ['limits/wait', 'v3.0/list.large'],
  'src/platform/commands/': ['access/leaks-of-commands'],
  'src/platform/values/': ['v3.0/list-parameters', 'modules/reports/account-reports'],
  'src/api/edge/': ['http/methods', 'http/raw-bytes', 'v2.1/relationship-write-body'],
  'src/api/envelope/': ['http/compression', 'v3.0/pages'],
  'src/api/errors/': ['http/methods', 'http/paths-and-methods'],
  'src/api/validation/': ['v3.0/list-parameters', 'v2.1/relationship-write-body'],
  'src/kit/': [],
  'src/start/': ['access/leaks-of-commands', 'operations/management'],
  'src/config/': ['access/access', 'access/https'],
  'src/platform/database/': ['statements/revision-reads', 'statements/explain', 'v3.0/pages'],
  'src/modules/accounts/': [
    'access/access',
    'access/keys',
    'modules/accounts/sign-in',
    'modules/accounts/applications',
  ],
  'src/modules/affiliates/': [
    'v2.0/affiliates',
    'v2.1/affiliates',
    'v2.1/affiliate-statistics',
    'v2.1/relationship-write',
    'v2.1/relationship-write-body',
  ],
  'src/modules/audit/': ['v2.1/relationship-write', 'v2.0/recurring-cancel', 'access/keys'],
  'src/ledger/changes/': ['ledger-1/changes'],
  'src/modules/demo/': [],
  'src/modules/follower/': ['ledger-1/changes'],
  'src/modules/exports/': ['modules/exports/exports'],
  'src/modules/privacy/': ['modules/privacy/pages', 'modules/privacy/personal-reads'],
  'src/modules/verification/': [],
  'src/modules/webhooks/': ['modules/webhooks/endpoints', 'modules/webhooks/pages'],
  'src/modules/mcp/': ['modules/mcp/mcp'],
  'src/modules/mirror/': [
    'modules/mirror/notify',
    'modules/mirror/pages',
    'v2.1/relationship-write',
  ],
  'src/platform/outgoing/': ['modules/webhooks/endpoints'],
  'src/platform/mail/': ['modules/accounts/forgotten-password'],
  'src/ledger/files/': ['access/leaks-of-commands'],
  'src/ledger/records/': ['access/leaks-of-commands', 'modules/accounts/users-together'],
  'src/ledger/reads/': ['v3.0/pages', 'v3.0/single', 'v2.0/latest-transactions'],
  'src/ledger/revisions/': ['http/conditional-changes', 'statements/revision-reads'],
  'src/ledger/sums/': ['modules/reports/account-reports', 'v2.1/affiliate-statistics'],
  'src/ledger/writes/': ['modules/records-in/records', 'http/conditional-changes'],
  'src/modules/records-in/': ['access/leaks-of-commands', 'modules/accounts/users-together'],
  'src/api/cache/': ['http/conditional', 'http/conditional-changes', 'statements/revision-reads'],
  'src/modules/products/': ['v2.1/product-names'],
  'src/modules/recurring/': ['v2.0/recurring-payment', 'v2.0/recurring-cancel'],
  'src/modules/reports/': [
    'modules/reports/account-reports',
    'modules/reports/report-csv',
    'modules/reports/report-lists',
  ],
  'src/modules/transactions/': [
    'v3.0/list-parameters',
    'v3.0/pages',
    'v3.0/single',
    'v2.1/transaction-details',
    'v2.0/latest-transactions',
    'v2.0/summaries',
    'http/conditional',
    'statements/explain',
  ],
  'src/platform/openapi/': ['openapi/openapi', 'openapi/openapi-served', 'openapi/openapi-bounds'],
  'src/platform/observability/': ['operations/management'],
  'src/platform/jobs/': [
    'v2.0/recurring-cancel',
    'modules/webhooks/endpoints',
    'modules/mirror/notify',
  ],
  'src/platform/secrets/': ['modules/accounts/unreadable-keys', 'modules/webhooks/endpoints'],
  'src/platform/errors/': ['http/errors'],
  'src/platform/files/': ['modules/exports/exports'],
  'src/platform/pages/': [
    'account/pages',
    'account/forms',
    'modules/accounts/sign-in',
    'openapi/reference',
  ],
  'src/api/versions/': ['http/methods', 'http/paths-and-methods', 'openapi/openapi'],
  'src/api/server/': ['http/methods', 'http/raw-bytes'],
  'src/platform/workers/': ['operations/management'],
  'assets/': ['account/pages', 'openapi/reference'],
  'openapi/': ['openapi/openapi', 'openapi/openapi-served'],
};

/** A quick run has 45 seconds, which is too short for more tests. */
export const MOST = 20;
/** These tests start many processes: they run only with their areas, in addition to MOST. */
const SLOW = ['operations/management'];

/** @returns the files to run for these changed files, at most MOST */
export function contractTestsFor(changed) {
  const areas = Object.entries(AREAS).filter(([area]) =>
    changed.some((path) => path.startsWith(area)),
  );
  const lists = [...areas.map(([, tests]) => tests.map(fileOf)), changed.filter(isContractTest)];
  const everywhere = EVERYWHERE.map(fileOf);
  const all = [...new Set([...everywhere, ...lists.flat()])];
  if (all.length <= MOST) return all;
  const slow = SLOW.map(fileOf);
  const inTurns = firstToLast(lists).filter((file) => !slow.includes(file));
  return [...new Set([...everywhere, ...inTurns])].slice(0, MOST);
}

/** Returns the first item of each list, then the second of each, and so on. */
function firstToLast(lists) {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

export function fileOf(name) {
  return `test/${name.startsWith('modules/') ? '' : 'contract/'}${name}.test.ts`;
}

function isContractTest(path) {
  return /^test\/(contract|modules)\/.+\.test\.ts$/.test(path);
}
