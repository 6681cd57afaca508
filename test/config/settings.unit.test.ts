import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { valueOf } from '../../src/config/declared-settings.js';
import { AUDIT } from '../../src/modules/audit/audit.feature.js';
import { erasuresFileOf } from '../../src/modules/privacy/tombstones/erasures-file.js';
import { MIRROR } from '../../src/modules/mirror/mirror.feature.js';
import { readSettings, SETTING_NAMES } from '../../src/start/load-settings.js';
import { complaintAbout, SECRET, settingsOf } from '../support/processes/settings.js';

describe('the settings', () => {
  it('leave one line break at the end of a value out, as secret stores write it', () => {
    const values = {
      KEY_ENCRYPTION_SECRET: `${SECRET} `,
      DATABASE_URL: 'sqlite:data/a.sqlite',
      PAYMENT_PROCESSOR_SECRET: SECRET,
      PAYMENT_PROCESSOR_URL: 'https://pay.example',
      ERASURES_FILE: 'data/erasures',
      PORT: '3100',
      LOG_LEVEL: '',
    };
    const ended = Object.fromEntries(
      Object.entries(values).map(([name, value], at) => [name, value + (at % 2 ? '\r\n' : '\n')]),
    );
    expect(settingsOf(ended)).toEqual(settingsOf(values));
  });

  it('have a default each', () => {
    expect(readSettings({ KEY_ENCRYPTION_SECRET: SECRET })).toEqual({
      environment: 'development',
      extensions: [],
      database: { dialect: 'sqlite', path: 'data/ledger.sqlite' },
      databaseIsDefault: true,
      replicas: [],
      databaseConnections: 10,
      statementMs: 1_000,
      migrations: 'auto',
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
      currency: '$',
      operatorContact: null,
      keyEncryptionSecret: SECRET,
      publicUrl: null,
      basePath: '',
      mail: null,
      pageCacheBytes: 64 * 1_048_576,
      webhookNetworks: null,
      nameServers: [],
      workers: 1,
      answerMemoryBytes: 96 * 1_048_576,
      workerHangMs: 30_000,
      limits: {
        key: [
          { requests: 50, seconds: 1 },
          { requests: 3_000, seconds: 60 },
        ],
        user: [
          { requests: 100, seconds: 1 },
          { requests: 6_000, seconds: 60 },
        ],
        atOnce: 20,
        waitMs: 1_000,
        address: [],
        failedKeys: [{ requests: 20, seconds: 60 }],
        signIns: [
          { requests: 10, seconds: 60 },
          { requests: 60, seconds: 3_600 },
        ],
        allSignIns: [
          { requests: 10, seconds: 1 },
          { requests: 300, seconds: 60 },
        ],
        codes: [5, 20, 50].map((requests) => expect.objectContaining({ requests }) as unknown),
        redisUrl: null,
      },
      transport: { tls: null, trustProxy: null, requireHttps: false },
      management: { host: '127.0.0.1', port: 3_001, portIsDefault: true },
      shutdownGraceMs: 10_000,
      declared: new Map<string, unknown>([
        ['ACTIVE_APPLICATIONS', 50],
        ['PAYMENT_PROCESSOR_URL', null],
        ['PAYMENT_PROCESSOR_SECRET', null],
        ['PERSONAL_DATA_READS', false],
        ['ERASURES_FILE', null],
        ['RECORDS_SPOOL_FOLDER', null],
        ['RECORDS_SPOOL_MB', 256],
        ['SOURCE_MAX_USERS', 100_000],
        ['SOURCE_MAX_PRODUCTS', 10_000],
        ['VENDOR_UPSTREAMS', true],
        ['AUDIT_LOG', false],
      ]),
    });
  });

  it('take an empty variable as one that is not set', () => {
    const names = [
      'NODE_ENV',
      'DATABASE_URL',
      'DATABASE_MIGRATIONS',
      'HOST',
      'PORT',
      'LOG_LEVEL',
      'WORKERS',
    ];
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(readSettings({ ...empty, KEY_ENCRYPTION_SECRET: SECRET })).toEqual(
      readSettings({ KEY_ENCRYPTION_SECRET: SECRET }),
    );
  });

  it('can not be changed', () => {
    expect(Object.isFrozen(settingsOf({}))).toBe(true);
  });

  it.each([
    ['NODE_ENV', 'development', { environment: 'development' }],
    ['NODE_ENV', 'production', { environment: 'production' }],
    ['DATABASE_MIGRATIONS', 'off', { migrations: 'off' }],
    ['DATABASE_MIGRATIONS', 'auto', { migrations: 'auto' }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'api.internal.example', { host: 'api.internal.example' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['DATABASE_CONNECTIONS', '1', { databaseConnections: 1 }],
    ['DATABASE_STATEMENT_MS', '100', { statementMs: 100 }],
    ['PAGE_CACHE_MB', '0', { pageCacheBytes: 0 }],
    ['PAGE_CACHE_MB', '1', { pageCacheBytes: 1_048_576 }],
    ['SHUTDOWN_GRACE', '30', { shutdownGraceMs: 30_000 }],
    [
      'THROTTLE_LIMITS',
      'off',
      { limits: { key: [], failedKeys: [], signIns: [], allSignIns: [], codes: [] } },
    ],
    ['THROTTLE_LIMITS', '5/1h', { limits: { key: [{ requests: 5, seconds: 3_600 }] } }],
    ['THROTTLE_WAIT', '0', { limits: { waitMs: 0 } }],
    ['THROTTLE_WAIT', '10', { limits: { waitMs: 10_000 } }],
    ['THROTTLE_WAIT', '0.25', { limits: { waitMs: 250 } }],
    ['THROTTLE_ADDRESS_LIMITS', '5/s', { limits: { address: [{ requests: 5, seconds: 1 }] } }],
    ['THROTTLE_FAILED_KEYS', 'off', { limits: { failedKeys: [] } }],
    ['THROTTLE_CODES', '9/1d', { limits: { codes: [{ requests: 9, seconds: 86_400 }] } }],
    ['THROTTLE_ALL_SIGN_INS', '9/1s', { limits: { allSignIns: [{ requests: 9, seconds: 1 }] } }],
    ['THROTTLE_SIGN_INS', '3/1h', { limits: { signIns: [{ requests: 3, seconds: 3_600 }] } }],
    ['REDIS_URL', 'rediss://u:p@h:1/2', { limits: { redisUrl: 'rediss://u:p@h:1/2' } }],
    ['TRUST_PROXY', '2', { transport: { trustProxy: 2 } }],
    ['TRUST_PROXY', '0', { transport: { trustProxy: null } }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { transport: { trustProxy: ['10.0.0.0/8', '::1'] } }],
    ['REQUIRE_HTTPS', 'on', { transport: { requireHttps: true } }],
    ['NODE_ENV', 'production', { transport: { requireHttps: true } }],
    ['MANAGEMENT_PORT', 'off', { management: { port: null } }],
    ['MANAGEMENT_PORT', '0', { management: { port: 0, portIsDefault: false } }],
    ['MANAGEMENT_HOST', '0.0.0.0', { management: { host: '0.0.0.0' } }],
    ['WORKERS', '64', { workers: 64 }],
    ['WORKER_HANG_SECONDS', '1', { workerHangMs: 1_000 }],
    ['WORKERS', 'auto', { workers: Math.min(availableParallelism(), 64) }],
    ['LOG_LEVEL', 'error', { logLevel: 'error' }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['KEY_ENCRYPTION_SECRET', 'x'.repeat(32), { keyEncryptionSecret: 'x'.repeat(32) }],
    ['DATABASE_URL', 'sqlite:a b.db', { database: { dialect: 'sqlite', path: 'a b.db' } }],
    ['DATABASE_URL', 'sqlite:/var/l.db', { database: { dialect: 'sqlite', path: '/var/l.db' } }],
  ])('take %s=%s', (variable, value, expected) => {
    expect(settingsOf({ [variable]: value })).toMatchObject(expected);
  });

  it('give the file of erasures a place beside the database', () => {
    expect(erasuresFileOf(readSettings({ KEY_ENCRYPTION_SECRET: SECRET }))).toBe(
      'data/ledger.sqlite.erasures.ndjson',
    );
  });

  it('of a feature have the values of their kinds', () => {
    expect(valueOf(settingsOf({ AUDIT_LOG: 'on' }), AUDIT.settings.auditLog)).toBe(true);
    const { vendorUpstreams } = MIRROR.settings;
    expect(valueOf(settingsOf({}), vendorUpstreams)).toBe(true);
    expect(valueOf(settingsOf({ NODE_ENV: 'production' }), vendorUpstreams)).toBe(false);
  });

  it.each([
    ['NODE_ENV', 'staging', /must be development or test or production/],
    ['NODE_ENV', 'Production', /must be/],
    ['DATABASE_MIGRATIONS', 'yes', /must be auto or off/],
    ['LOG_LEVEL', 'verbose', /must be error or warn or info or debug/],
    ['AUDIT_LOG', 'yes', /must be on or off/],
    ['HOST', 'http://localhost', /must be an IP address or a host name/],
    ['HOST', 'a b', /must be an IP address or a host name/],
    ...['-1', '65536', '3000.5', '3e3', ' 3000', '0x10', 'http', '1000000'].map(
      (port) => ['PORT', port, /must be an integer from 0 to 65535/] as const,
    ),
    ...['0', '1.5', 'abc', '65', '-1', '02', 'Auto'].map(
      (workers) => ['WORKERS', workers, /must be an integer from 1 to 64, or auto/] as const,
    ),
    ['DATABASE_CONNECTIONS', '0', /must be an integer from 1 to 1000/],
    ['DATABASE_STATEMENT_MS', '99', /must be an integer from 100 to 60000/],
    ['SHUTDOWN_GRACE', '0', /must be an integer from 1 to 3600/],
    ...['20', '20/1s,', 'on', '0/1s'].map(
      (limits) => ['THROTTLE_LIMITS', limits, /must be off, or a list of requests\/time/] as const,
    ),
    ...['-1', '10.5', '11', '1s', 'off', '1e1', '.5', ' 1'].map(
      (wait) => ['THROTTLE_WAIT', wait, /must be a number of seconds from 0 to 10/] as const,
    ),
    ['THROTTLE_ADDRESS_LIMITS', '1/1w', /must be off/],
    ['THROTTLE_FAILED_KEYS', '-', /must be off/],
    ['THROTTLE_ALL_SIGN_INS', '5', /must be off/],
    ['THROTTLE_SIGN_INS', '1/2w', /must be off/],
    ['REDIS_URL', 'http://host', /must begin with redis:/],
    ['REDIS_URL', 'host:6379', /must begin with redis:/],
    ...['true', '17', '-1', '0.0.0.0/0', '10.0.0.0/8,::/0', 'proxy.example'].map(
      (proxies) => ['TRUST_PROXY', proxies, /must be the number of proxies/] as const,
    ),
    ['REQUIRE_HTTPS', 'yes', /must be on or off/],
    ['TLS_KEY', '/nowhere.pem', /must be set together/],
    ['MANAGEMENT_PORT', '65536', /must be an integer from 0 to 65535, or off/],
    ['MANAGEMENT_HOST', 'a b', /must be an IP address/],
    ['KEY_ENCRYPTION_SECRET', 'x'.repeat(31), /must have at least 32 characters/],
    ['DATABASE_URL', 'postgres://u:p@h/d', /must begin with sqlite: or mysql:\/\//],
    ['DATABASE_URL', 'ledger.sqlite', /must begin with/],
    ['DATABASE_URL', 'sqlite:', /must name a file/],
    ['DATABASE_URL', 'sqlite::memory:', /must name a file/],
    ['DATABASE_URL', 'mysql://', /must|names|is not/],
    ['DATABASE_URL', 'mysql://user:p@/ledger', /names no host|is not a URL/],
    ['DATABASE_URL', 'mysql://host/ledger', /names no user/],
    ['DATABASE_URL', 'mysql://user:p@host', /must end with a database name/],
    ['DATABASE_URL', 'mysql://user:p@host/', /must end with a database name/],
    ['DATABASE_URL', 'mysql://user:p@host/a/b', /must end with a database name/],
    ['DATABASE_URL', 'mysql://user:p@host:99999/ledger', /is not a URL/],
    ['DATABASE_URL', 'mysql://user:100%@host/ledger', /%25/],
    ['DATABASE_URL', 'mysql://user:p@one,/ledger', /names no host|is not a URL/],
    ['DATABASE_URL', 'mysql://user:p@one,,two/ledger', /names no host|is not a URL/],
    ['DATABASE_URL', 'mysql://user:p@one,two:99999/ledger', /is not a URL/],
    ['DATABASE_URL', 'mysql://user:p@one,two', /must end with a database name/],
  ])('refuse %s=%s in one line with the name, the fault and an example', (name, value, fault) => {
    const complaint = complaintAbout({ [name]: value });
    expect(complaint).toMatch(new RegExp(`^${name}: [^\\n]+, for example ${name}=[^\\n]+$`));
    expect(complaint).toMatch(fault);
  });

  it.each([
    ['/nowhere.pem', 'is neither system nor a readable file'],
    ['package.json', 'must contain PEM certificates'],
  ])('refuse DATABASE_TLS_CA=%s', (DATABASE_TLS_CA, fault) => {
    const complaint = complaintAbout({ DATABASE_TLS_CA, DATABASE_URL: 'mysql://u:p@h/d' });
    expect(complaint).toMatch(new RegExp(`^DATABASE_TLS_CA: ${fault}, for example [^\\n]+$`));
  });

  it('are refused together, a line each, whichever of them is wrong', () => {
    const wrong = {
      NODE_ENV: 'staging',
      KEY_ENCRYPTION_SECRET: 'short',
      DATABASE_TLS_CA: '/nowhere.pem',
      DATABASE_URL: 'postgres://u:p@h/d',
      DATABASE_REPLICA_URLS: 'postgres://u:p@h/d',
      DATABASE_CONNECTIONS: '0',
      DATABASE_STATEMENT_MS: '1',
      DATABASE_MIGRATIONS: 'yes',
      HOST: 'a b',
      PORT: 'http',
      LOG_LEVEL: 'loud',
      WEBHOOK_NETWORKS: 'everything',
      NAME_SERVERS: 'dns.example',
      PAYMENT_PROCESSOR_URL: 'ftp://h',
      PAYMENT_PROCESSOR_SECRET: 'short',
      ANSWER_MEMORY_MB: '15',
      PAGE_CACHE_MB: '-1',
      ERASURES_FILE: '/',
      RECORDS_SPOOL_FOLDER: '/nowhere',
      RECORDS_SPOOL_MB: '31',
      WORKERS: '0',
      WORKER_HANG_SECONDS: '0',
      THROTTLE_LIMITS: '20',
      THROTTLE_USER_LIMITS: '20',
      THROTTLE_AT_ONCE: '0',
      ACTIVE_APPLICATIONS: '0',
      SOURCE_MAX_PRODUCTS: 'many',
      VENDOR_UPSTREAMS: 'yes',
      SOURCE_MAX_USERS: '-1',
      THROTTLE_ADDRESS_LIMITS: '20',
      THROTTLE_FAILED_KEYS: '20',
      THROTTLE_CODES: '20',
      THROTTLE_ALL_SIGN_INS: '20',
      THROTTLE_SIGN_INS: '20',
      THROTTLE_WAIT: 'soon',
      REDIS_URL: 'http://h',
      REQUIRE_HTTPS: 'yes',
      TLS_CERT: '/nowhere.pem',
      TLS_KEY: '/nowhere.pem',
      TRUST_PROXY: 'true',
      MANAGEMENT_HOST: 'a b',
      MANAGEMENT_PORT: 'on',
      SHUTDOWN_GRACE: '0',
      AUDIT_LOG: 'yes',
      CURRENCY: 'one coin',
      OPERATOR_CONTACT: 'nobody',
      PUBLIC_URL: 'reports',
      SMTP_URL: 'smtp',
      SMTP_CA: 'no file',
      MAIL_FROM: 'nobody',
      PERSONAL_DATA_READS: 'yes',
      EXTENSIONS: 'not a package',
    };
    const named = complaintAbout(wrong)
      .split('\n')
      .map((line) => /^([A-Z_]+): .+, for example \1=.+$/.exec(line)?.[1]);
    expect(new Set(named)).toEqual(new Set(SETTING_NAMES));
    expect(new Set(Object.keys(wrong))).toEqual(new Set(SETTING_NAMES));
    expect(named).toHaveLength(SETTING_NAMES.length);
  });

  it('hide no fault of an address behind one of its encryption', () => {
    const complaint = complaintAbout({ DATABASE_TLS_CA: '/nowhere.pem', DATABASE_URL: 'sqlite:a' });
    expect(complaint).toMatch(/^DATABASE_TLS_CA: .+\nDATABASE_URL: must begin with mysql:.+$/);
  });

  it('never repeat a secret that is too short', () => {
    expect(complaintAbout({ KEY_ENCRYPTION_SECRET: 'Hunter2!' })).not.toContain('Hunter2');
  });

  it('know whether the database was chosen', () => {
    expect(settingsOf({ DATABASE_URL: 'sqlite:data/ledger.sqlite' }).databaseIsDefault).toBe(false);
  });
});
