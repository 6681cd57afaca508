/** The rules on imports between folders. Each rule describes forbidden imports. */
const IN_MODULE = '^src/modules/([^/]+)/';
const INDEX = '^src/modules/[^/]+/index\\.ts$';
const FEATURE_FILE = '\\.feature\\.ts$';
/** Controllers, and what they read from requests and write to answers. */
const HTTP = '^src/(modules|ledger/changes)/.*\\.(controller|presenter|body|query|params)\\.ts$';
/** The name of a file of one API version contains the version. */
const VERSIONED = '\\.(v[0-9]\\.[0-9])\\.[a-z]+\\.ts$';
const SQL = ['\\.(repository|entity)\\.ts$', '^src/platform/database/', 'node_modules/typeorm/'];
/** The kept sums are one file each, with table, contribution, check and backfill. */
const KEPT_SUMS = '^src/ledger/sums/';
const COMMANDS = '\\.command\\.ts$';
const PAGES = '\\.pages?\\.tsx$';
const PARTS_OF_PAGES = '\\.(pages?|view)\\.tsx$';

module.exports = {
  forbidden: [
    {
      name: 'versions-are-apart',
      comment: 'The files of an API version do not import those of another version.',
      severity: 'error',
      from: { path: VERSIONED },
      to: { path: VERSIONED, pathNot: '\\.$1\\.[a-z]+\\.ts$' },
    },
    {
      name: 'nothing-back-to-http',
      comment:
        'Services, repositories, entities and models import nothing of HTTP. Module files do.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [HTTP, '\\.module\\.ts$', '\\.source\\.ts$'],
      },
      to: { path: HTTP },
    },
    { name: 'http-knows-no-database', severity: 'error', from: { path: HTTP }, to: { path: SQL } },
    {
      name: 'typeorm-stays-below',
      comment:
        'Only repositories, entities, module files, migrations and platform/database import typeorm.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '\\.(repository|entity|module)\\.ts$',
          KEPT_SUMS,
          '^src/modules/[^/]+/migrations/',
          '^src/platform/database/',
          '^src/(extension|feature)\\.ts$',
        ],
      },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'features-meet-at-the-index',
      comment: 'A feature exports in its index.ts what other features use.',
      severity: 'error',
      from: { path: IN_MODULE },
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', INDEX] },
    },
    {
      name: 'nobody-looks-into-a-feature',
      comment: 'Only the list of features imports the declaration of a feature.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/modules/', '^src/(features\\.ts$|start/extensions/)'],
      },
      to: { path: '^src/modules/', pathNot: INDEX },
    },
    {
      name: 'a-declaration-is-data',
      comment: 'A declaration imports only types, so reading it loads no code of the feature.',
      severity: 'error',
      from: { path: FEATURE_FILE },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-engine-knows-a-feature',
      comment: 'Features fill ports of ledger, api and platform, such as who a key belongs to.',
      severity: 'error',
      from: { path: '^src/(config|api|ledger|platform)/' },
      to: { path: '^src/modules/' },
    },
    {
      name: 'only-features-know-the-ledger',
      comment: 'The ledger is built on the engines, and requests pass without knowing it.',
      severity: 'error',
      from: { path: '^src/(config|api|platform)/' },
      to: { path: '^src/ledger/' },
    },
    {
      name: 'nobody-knows-the-kit',
      comment: 'Only the files directly in src/ make the public surface for extensions.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(kit/|[^/]+$)' },
      to: { path: '^src/kit/' },
    },
    {
      name: 'nobody-knows-the-root',
      comment: 'The files directly in src/ and in start/ put the parts together.',
      severity: 'error',
      from: { path: '^src/(config|api|ledger|platform|modules)/' },
      to: { path: '^src/([^/]+$|start/)', pathNot: '^src/feature\\.ts$' },
    },
    {
      name: 'the-api-knows-no-page',
      comment: 'Account pages and documents are built on the parts of a request, not the reverse.',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { path: '^src/platform/(pages|openapi|commands|workers|mail|jobs|secrets)/' },
    },
    {
      name: 'the-ground-knows-no-request',
      comment: 'Only engines that answer or limit requests know their parts.',
      severity: 'error',
      from: {
        path: '^src/(config|platform/(database|errors|files|jobs|mail|outgoing|secrets|values))/',
      },
      to: { path: '^src/api/' },
    },
    {
      name: 'values-stand-alone',
      severity: 'error',
      from: { path: '^src/platform/values/' },
      to: { path: '^src/', pathNot: '^src/platform/(values|errors)/' },
    },
    {
      name: 'a-feature-knows-no-server',
      comment: 'The server and the edge have admitted a request before it reaches a feature.',
      severity: 'error',
      from: { path: '^src/(modules|ledger)/' },
      to: { path: '^src/(api/(server|edge)|platform/workers)/' },
    },
    {
      name: 'only-commands-know-the-command-line',
      severity: 'error',
      from: { path: '^src/(api|ledger|modules)/', pathNot: COMMANDS },
      to: { path: '^src/platform/commands/' },
    },
    {
      name: 'nobody-knows-the-import',
      comment:
        'The import depends on the features. Only commands, the demo and the mirror start it.',
      severity: 'error',
      from: {
        path: '^src/modules/',
        pathNot: ['^src/modules/(records-in|demo|mirror)/', COMMANDS],
      },
      to: { path: '^src/modules/records-in/' },
    },
    {
      name: 'sums-know-no-writer',
      comment: 'What writes a ledger saves the kept sums, and no kept sum imports what writes.',
      severity: 'error',
      from: { path: KEPT_SUMS },
      to: { path: '^src/ledger/writes/' },
    },
    {
      name: 'nobody-knows-the-verification',
      comment: 'Verification reads what modules derive. Only its command uses it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/modules/verification/' },
      to: { path: '^src/modules/verification/', pathNot: FEATURE_FILE },
    },
    {
      name: 'the-format-stands-alone',
      comment: 'The format of records has types, readers and checks, without database or HTTP.',
      severity: 'error',
      from: { path: '^src/ledger/(records/|files/|columns\\.ts$)' },
      to: {
        path: '^src/',
        pathNot: '^src/(ledger/(records/|files/|columns\\.ts$)|platform/(values|errors)/)',
      },
    },
    {
      name: 'pages-ask-services',
      comment: 'Like controllers, pages contain no SQL.',
      severity: 'error',
      from: { path: PARTS_OF_PAGES },
      to: { path: SQL },
    },
    {
      name: 'pages-do-not-know-each-other',
      comment:
        'Pages import shared parts, and links from paths.ts, but no page of another feature.',
      severity: 'error',
      from: { path: `^src/(modules/[^/]+|platform/pages)/.*${PAGES}` },
      to: { path: PAGES, pathNot: '^src/$1/' },
    },
    {
      name: 'nobody-knows-the-pages',
      comment: 'Only pages, and features that fill a port of pages, import their parts.',
      severity: 'error',
      from: { path: '^src/(api|ledger|platform)/', pathNot: '^src/platform/pages/' },
      to: { path: '^src/platform/pages/' },
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
