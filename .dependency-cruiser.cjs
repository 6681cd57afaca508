/** The rules on imports between folders. Each rule describes forbidden imports. */
const IN_MODULE = '^src/modules/([^/]+)/';
const PUBLIC_PART = '\\.(module|service|model)\\.ts$';
/** The kept sums are one file each; modules read their tables and types from there. */
const KEPT_SUMS = '^src/modules/(transactions|recurring)/sums/';
/** Addresses of pages. */
const PATHS = '^src/pages/paths\\.ts$';
/** Features whose files are all in their folders. Others import only the index.ts of these. */
const DONE =
  '^src/modules/(accounts|affiliates|audit|demo|exports|mirror|privacy|products|records-in|recurring|reports|webhooks)/';
const INDEX = '^src/modules/[^/]+/index\\.ts$';
const FEATURE_FILE = '^src/modules/[^/]+/[^/]+\\.feature\\.ts$';
const PAGES_OF_FEATURES = '^src/modules/[^/]+/pages/';
/** Parts of pages that a feature fills. */
const PAGE_PORTS = '^src/pages/(http/visit|resource/password-confirmation)\\.ts$';
const COMMANDS = '\\.command\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'versions-are-apart',
      comment: 'The files of an API version do not import those of another version.',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/http/(v[0-9.]+|ledger-1)/' },
      to: {
        path: '^src/modules/[^/]+/http/(v[0-9.]+|ledger-1)/',
        pathNot: '^src/modules/[^/]+/http/$1/',
      },
    },
    {
      name: 'nothing-back-to-http',
      comment:
        'Services, repositories, entities and models import nothing from http/. Module files do.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: ['/http/', '\\.module\\.ts$'] },
      to: { path: '^src/modules/[^/]+/http/' },
    },
    {
      name: 'http-knows-no-database',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/http/' },
      to: {
        path: [
          '\\.(repository|entity)\\.ts$',
          '/sums/(?!.*\\.model\\.ts$)',
          '^src/database/',
          'node_modules/typeorm/',
        ],
      },
    },
    {
      name: 'typeorm-stays-below',
      comment:
        'Only repositories, entities, module files, migrations and database/ import typeorm.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '\\.(repository|entity|module)\\.ts$',
          KEPT_SUMS,
          '^src/modules/[^/]+/migrations/',
          '^src/database/',
          '^src/(extension|feature)\\.ts$',
        ],
      },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'modules-meet-in-public',
      comment: 'Modules import only *.module, *.service and *.model of others, and kept sums.',
      severity: 'error',
      from: { path: IN_MODULE },
      to: {
        path: '^src/modules/',
        pathNot: ['^src/modules/$1/', INDEX, PUBLIC_PART, KEPT_SUMS],
      },
    },
    {
      name: 'features-meet-at-the-index',
      comment: 'A feature exports in its index.ts what other features use.',
      severity: 'error',
      from: { path: IN_MODULE },
      to: { path: DONE, pathNot: ['^src/modules/$1/', INDEX, KEPT_SUMS] },
    },
    {
      name: 'nobody-looks-into-a-feature',
      comment: 'Only the list of features imports the declaration of a feature.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/modules/', '^src/features\\.ts$'] },
      to: { path: DONE, pathNot: INDEX },
    },
    {
      name: 'a-declaration-is-data',
      comment: 'A declaration imports only types, so reading it loads no code of the feature.',
      severity: 'error',
      from: { path: FEATURE_FILE },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'modules-know-no-access',
      comment:
        'Guards admit a request before it reaches a module, so modules do not import them. Sign-ins have limits of their own.',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: {
        path: '^src/(access|server|workers)/',
        pathNot: '^src/access/(limits/|client-address\\.ts$)',
      },
    },
    {
      name: 'features-know-no-root',
      comment: 'The files directly in src/ and the OpenAPI documents are built from the features.',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/([^/]+$|openapi/|follower/)', pathNot: '^src/(feature|extension)\\.ts$' },
    },
    {
      name: 'only-commands-know-the-command-line',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: COMMANDS },
      to: { path: '^src/cli/' },
    },
    {
      name: 'nobody-knows-the-import',
      comment:
        'The import depends on the modules. Only commands, the demo and the mirror start it.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/modules/(records-in|demo|mirror)/', COMMANDS, '^src/[^/]+$'],
      },
      to: { path: '^src/modules/records-in/' },
    },
    {
      name: 'sums-know-no-writer',
      comment: 'What writes a ledger saves the kept sums, and no kept sum imports what writes.',
      severity: 'error',
      from: { path: KEPT_SUMS },
      to: { path: '^src/modules/transactions/writes/' },
    },
    {
      name: 'nobody-knows-the-verification',
      comment:
        'Verification reads what modules derive. Only the command and the root module use it.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/modules/verification/', '^src/cli/', '^src/[^/]+$'] },
      to: { path: '^src/modules/verification/' },
    },
    {
      name: 'the-format-stands-alone',
      comment: 'The format of records has types, readers and checks, without database or HTTP.',
      severity: 'error',
      from: { path: '^src/ledger-format/' },
      to: { path: '^src/', pathNot: '^src/(ledger-format|common)/' },
    },
    {
      name: 'pages-ask-services',
      comment: 'Like http/ in modules, pages import services and models only.',
      severity: 'error',
      from: { path: ['^src/pages/', PAGES_OF_FEATURES] },
      to: {
        path: ['^src/modules/', '^src/database/', 'node_modules/typeorm/'],
        pathNot: [PUBLIC_PART, INDEX, FEATURE_FILE, PAGES_OF_FEATURES],
      },
    },
    {
      name: 'pages-do-not-know-each-other',
      comment:
        'Pages import the parts that all pages share, and links from paths.ts, but no page of another folder.',
      severity: 'error',
      from: { path: '^src/pages/([^/]+)/' },
      to: {
        path: '^src/pages/',
        pathNot: ['^src/pages/$1/', '^src/pages/(http|range|resource|session|ui)/', PATHS],
      },
    },
    {
      name: 'nobody-knows-the-pages',
      severity: 'error',
      from: { path: '^src/(modules|access|routing|openapi)/', pathNot: PAGES_OF_FEATURES },
      to: { path: '^src/pages/', pathNot: [PATHS, PAGE_PORTS] },
    },
    {
      name: 'pages-of-features-use-shared-parts',
      severity: 'error',
      from: { path: PAGES_OF_FEATURES },
      to: {
        path: '^src/pages/',
        pathNot: ['^src/pages/(http|range|resource|session|ui)/', PATHS],
      },
    },
    {
      name: 'the-ground-knows-no-module',
      comment:
        'common, config, database, ledger-format, http-cache, answer-memory and platform import no module.',
      severity: 'error',
      from: {
        path: '^src/(common|config|database|ledger-format|http-cache|answer-memory|platform)/',
      },
      to: { path: '^src/(modules|access|server|routing|cli|pages|openapi|workers)/' },
    },
    {
      name: 'the-api-knows-no-module',
      comment: 'Features fill the ports of access and routing, such as who a key belongs to.',
      severity: 'error',
      from: { path: '^src/(access|routing)/' },
      to: { path: '^src/(modules|cli|pages|workers)/' },
    },
    {
      name: 'common-knows-no-setting',
      severity: 'error',
      from: { path: '^src/common/' },
      to: { path: '^src/', pathNot: '^src/common/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      comment: 'A file that no other file imports is unused.',
      severity: 'error',
      from: { orphan: true, path: '^src/' },
      to: {},
    },
    {
      name: 'only-declared-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A declaration of a feature loads its code, which may import the list of features.
    exclude: { dynamic: true },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
