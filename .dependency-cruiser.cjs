/** The rules of the house: who may know whom. Each names the way that an import must not go. */
const IN_MODULE = '^src/modules/([^/]+)/';
const PUBLIC_PART = '\\.(module|service|model)\\.ts$';
/** Who calls: every controller may ask. */
const CALLER = '^src/modules/accounts/http/current-principal\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'versions-are-apart',
      comment: 'http/vX imports no http/vY.',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/http/(v[0-9.]+|ledger-1)/' },
      to: {
        path: '^src/modules/[^/]+/http/(v[0-9.]+|ledger-1)/',
        pathNot: '^src/modules/[^/]+/http/$1/',
      },
    },
    {
      name: 'nothing-back-to-http',
      comment: 'Services, repositories, entities and models know no HTTP. Module files wire it.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: ['/http/', '\\.module\\.ts$'] },
      to: { path: '/http/' },
    },
    {
      name: 'http-knows-no-database',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/http/' },
      to: { path: ['\\.(repository|entity)\\.ts$', '^src/database/', 'node_modules/typeorm/'] },
    },
    {
      name: 'typeorm-stays-below',
      comment: 'typeorm only in repositories, entities, module files, migrations and database/.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '\\.(repository|entity|module)\\.ts$',
          ...['^src/modules/[^/]+/migrations/', '^src/database/', '^src/extension\\.ts$'],
        ],
      },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'modules-meet-in-public',
      comment:
        'Modules meet through *.module, *.service and *.model, and controllers ask who calls.',
      severity: 'error',
      from: { path: IN_MODULE },
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', PUBLIC_PART, CALLER] },
    },
    {
      name: 'modules-know-no-access',
      comment: 'Guards let a request in; what it asks for does not know them.',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/(access|server|cli|workers)/' },
    },
    {
      name: 'nobody-knows-the-import',
      comment: 'It knows the modules; commands, the demo and the mirror start it.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/modules/(import|demo|mirror)/', '^src/cli/', '^src/[^/]+$'],
      },
      to: { path: '^src/modules/import/' },
    },
    {
      name: 'the-format-stands-alone',
      comment: 'What a record is: types, readers, checks; no database and no HTTP.',
      severity: 'error',
      from: { path: '^src/ledger-format/' },
      to: { path: '^src/', pathNot: '^src/(ledger-format|common)/' },
    },
    {
      name: 'pages-ask-services',
      comment: 'Pages are what http/ is to the interface: they import services and models.',
      severity: 'error',
      from: { path: '^src/pages/' },
      to: {
        path: ['^src/modules/', '^src/database/', 'node_modules/typeorm/'],
        pathNot: PUBLIC_PART,
      },
    },
    {
      name: 'nobody-knows-the-pages',
      severity: 'error',
      from: { path: '^src/(modules|access|routing|openapi)/' },
      to: { path: '^src/pages/' },
    },
    {
      name: 'the-ground-knows-no-module',
      comment:
        'common, config, database, ledger-format, http-cache and answer-memory import no module.',
      severity: 'error',
      from: { path: '^src/(common|config|database|ledger-format|http-cache|answer-memory)/' },
      to: { path: '^src/(modules|access|server|routing|cli|pages|openapi|workers)/' },
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
      comment: 'What nobody imports is dead.',
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
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
