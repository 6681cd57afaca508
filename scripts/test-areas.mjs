// Which contract tests find a mistake soonest, by the changed files. Every operation passes through the
// whole service, so imports cannot tell. test/unit/test-areas.test.ts compares this list with the folders.

/** Always run. */
export const EVERYWHERE = ['errors', 'headers', 'access-matrix', 'v3.0/list'];

/** Beginnings of paths, and tests in test/contract. */
export const AREAS = {
  'src/access/': ['access', 'keys', 'key-life', 'wrong-keys', 'limits-wait'],
  'src/cli/': ['leaks-of-commands'],
  'src/common/': ['methods', 'paths-and-methods', 'compression'],
  'src/config/': ['access', 'https'],
  'src/database/': ['revision-reads', 'explain', 'v3.0/pages'],
  'src/modules/accounts/': ['access', 'keys', 'account-sign-in', 'account-applications'],
  'src/modules/affiliates/': [
    ...['v2.0/affiliates', 'v2.1/affiliates', 'v2.1/affiliate-statistics'],
    ...['v2.1/relationship-write', 'v2.1/relationship-write-body'],
  ],
  'src/modules/audit/': ['v2.1/relationship-write', 'v2.0/recurring-cancel', 'keys'],
  'src/modules/demo/': [],
  'src/ledger-format/': ['leaks-of-commands', 'users-together'],
  'src/modules/import/': ['leaks-of-commands', 'users-together'],
  'src/http-cache/': ['conditional', 'conditional-changes', 'revision-reads'],
  'src/modules/products/': ['v2.1/product-names'],
  'src/modules/recurring/': ['v2.0/recurring-payment', 'v2.0/recurring-cancel'],
  'src/modules/reports/': ['account-reports', 'report-csv', 'report-lists'],
  'src/modules/transactions/': [
    ...['v3.0/list-parameters', 'v3.0/pages', 'v3.0/single', 'v2.1/transaction-details'],
    ...['v2.0/latest-transactions', 'v2.0/summaries', 'conditional', 'explain'],
  ],
  'src/openapi/': ['openapi', 'openapi-served', 'openapi-bounds'],
  'src/observability/': ['management'],
  'src/pages/': ['pages', 'account-forms', 'account-sign-in', 'reference'],
  'src/routing/': ['methods', 'paths-and-methods', 'openapi'],
  'src/server/': ['methods', 'raw-bytes', 'v2.1/relationship-write-body'],
  'src/workers/': ['management'],
  'assets/': ['pages', 'reference'],
  'openapi/': ['openapi', 'openapi-served'],
};

/** @returns the files in test/contract to run for these changed files */
export function contractTestsFor(changed) {
  const areas = Object.entries(AREAS).filter(([area]) =>
    changed.some((path) => path.startsWith(area)),
  );
  const named = [...EVERYWHERE, ...areas.flatMap(([, tests]) => tests)];
  const files = named.map((name) => `test/contract/${name}.test.ts`);
  return [...new Set([...files, ...changed.filter(isContractTest)])];
}

function isContractTest(path) {
  return /^test\/contract\/.+\.test\.ts$/.test(path);
}
