import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { readSettings, type Environment, type Settings } from '../../src/config/settings.js';

const SECRET = 'a secret of exactly 32 characters';
const settingsOf = (environment: Environment): Settings =>
  readSettings({ NODE_ENV: 'test', KEY_ENCRYPTION_SECRET: SECRET, ...environment });

/** The one line that an operator reads. */
function complaintAbout(environment: Environment): string {
  try {
    settingsOf(environment);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'no complaint';
}

describe('the settings', () => {
  it('have a default each', () => {
    expect(readSettings({ KEY_ENCRYPTION_SECRET: SECRET })).toEqual({
      environment: 'development',
      database: { dialect: 'sqlite', path: 'data/ledger.sqlite' },
      databaseIsDefault: true,
      replicas: [],
      databaseConnections: 10,
      statementMs: 1_000,
      migrations: 'auto',
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
      keyEncryptionSecret: SECRET,
      paymentProcessor: null,
      pageCacheBytes: 64 * 1_048_576,
      workers: 1,
      limits: {
        key: [
          { requests: 20, seconds: 1 },
          { requests: 600, seconds: 60 },
        ],
        address: [],
        failedKeys: [{ requests: 20, seconds: 60 }],
        signIns: [
          { requests: 10, seconds: 60 },
          { requests: 60, seconds: 3_600 },
        ],
        redisUrl: null,
      },
      transport: { tls: null, trustProxy: null, requireHttps: false },
      management: { host: '127.0.0.1', port: 3_001, portIsDefault: true },
      shutdownGraceMs: 10_000,
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
    ['THROTTLE_LIMITS', 'off', { limits: { key: [], failedKeys: [], signIns: [] } }],
    ['THROTTLE_LIMITS', '5/1h', { limits: { key: [{ requests: 5, seconds: 3_600 }] } }],
    ['THROTTLE_ADDRESS_LIMITS', '5/s', { limits: { address: [{ requests: 5, seconds: 1 }] } }],
    ['THROTTLE_FAILED_KEYS', 'off', { limits: { failedKeys: [] } }],
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
    ['WORKERS', 'auto', { workers: Math.min(availableParallelism(), 64) }],
    ['LOG_LEVEL', 'error', { logLevel: 'error' }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['KEY_ENCRYPTION_SECRET', 'x'.repeat(32), { keyEncryptionSecret: 'x'.repeat(32) }],
    ['DATABASE_URL', 'sqlite:a b.db', { database: { dialect: 'sqlite', path: 'a b.db' } }],
    ['DATABASE_URL', 'sqlite:/var/l.db', { database: { dialect: 'sqlite', path: '/var/l.db' } }],
  ])('take %s=%s', (variable, value, expected) => {
    expect(settingsOf({ [variable]: value })).toMatchObject(expected);
  });

  it.each([
    ['NODE_ENV', 'staging', /must be development or test or production/],
    ['NODE_ENV', 'Production', /must be/],
    ['DATABASE_MIGRATIONS', 'yes', /must be auto or off/],
    ['LOG_LEVEL', 'verbose', /must be error or warn or info or debug/],
    ['HOST', 'http://localhost', /must be an address or a host name/],
    ['HOST', 'a b', /must be an address or a host name/],
    ...['-1', '65536', '3000.5', '3e3', ' 3000', '0x10', 'http', '1000000'].map(
      (port) => ['PORT', port, /must be a whole number from 0 to 65535/] as const,
    ),
    ...['0', '1.5', 'abc', '65', '-1', '02', 'Auto'].map(
      (workers) => ['WORKERS', workers, /must be a whole number from 1 to 64, or auto/] as const,
    ),
    ['DATABASE_CONNECTIONS', '0', /must be a whole number from 1 to 1000/],
    ['DATABASE_STATEMENT_MS', '99', /must be a whole number from 100 to 60000/],
    ['SHUTDOWN_GRACE', '0', /must be a whole number from 1 to 3600/],
    ...['20', '20/1s,', 'on', '0/1s'].map(
      (limits) => ['THROTTLE_LIMITS', limits, /must be off, or requests\/time/] as const,
    ),
    ['THROTTLE_ADDRESS_LIMITS', '1/1w', /must be off/],
    ['THROTTLE_FAILED_KEYS', '-', /must be off/],
    ['THROTTLE_SIGN_INS', '1/2w', /must be off/],
    ['REDIS_URL', 'http://host', /must begin with redis:/],
    ['REDIS_URL', 'host:6379', /must begin with redis:/],
    ...['true', '17', '-1', '0.0.0.0/0', '10.0.0.0/8,::/0', 'proxy.example'].map(
      (proxies) => ['TRUST_PROXY', proxies, /must be a number of proxies/] as const,
    ),
    ['REQUIRE_HTTPS', 'yes', /must be on or off/],
    ['TLS_KEY', '/nowhere.pem', /go together/],
    ['MANAGEMENT_PORT', '65536', /must be a whole number from 0 to 65535, or off/],
    ['MANAGEMENT_HOST', 'a b', /must be an address/],
    ['KEY_ENCRYPTION_SECRET', 'x'.repeat(31), /must have at least 32 characters/],
    ['DATABASE_URL', 'postgres://u:p@h/d', /must begin with sqlite: or mysql:\/\//],
    ['DATABASE_URL', 'ledger.sqlite', /must begin with/],
    ['DATABASE_URL', 'sqlite:', /must name a file/],
    ['DATABASE_URL', 'sqlite::memory:', /must name a file/],
    ['DATABASE_URL', 'mysql://', /must|names|is not/],
    ['DATABASE_URL', 'mysql://user:p@/ledger', /names no host|is not a URL/],
    ['DATABASE_URL', 'mysql://host/ledger', /names no user/],
    ['DATABASE_URL', 'mysql://user:p@host', /name of one database/],
    ['DATABASE_URL', 'mysql://user:p@host/', /name of one database/],
    ['DATABASE_URL', 'mysql://user:p@host/a/b', /name of one database/],
    ['DATABASE_URL', 'mysql://user:p@host:99999/ledger', /is not a URL/],
    ['DATABASE_URL', 'mysql://user:100%@host/ledger', /%25/],
    ['DATABASE_URL', 'mysql://user:p@one,/ledger', /names no host|is not a URL/],
    ['DATABASE_URL', 'mysql://user:p@one,,two/ledger', /names no host|is not a URL/],
    ['DATABASE_URL', 'mysql://user:p@one,two:99999/ledger', /is not a URL/],
    ['DATABASE_URL', 'mysql://user:p@one,two', /name of one database/],
  ])('refuse %s=%s in one line with the name, the fault and an example', (name, value, fault) => {
    const complaint = complaintAbout({ [name]: value });
    expect(complaint).toMatch(new RegExp(`^${name}: [^\\n]+, for example ${name}=[^\\n]+$`));
    expect(complaint).toMatch(fault);
  });

  it.each([
    'postgres://user:Hunter2!@host/d',
    'mysql://user:Hunter2!%@host/d',
    'mysql://user:Hunter2!@host',
    'mysql://user:Hunter2!@host:99999/d',
    'mysql://:Hunter2!@host/d',
    'mysql://user:Hunter2!@[::1/d',
    'mysql://user:Hunter2!@one,two:x/d',
    'mysql://user:Hunter2!,@one,[::1/d',
  ])('never repeat a password of DATABASE_URL=%s', (DATABASE_URL) => {
    const complaint = complaintAbout({ DATABASE_URL });
    expect(complaint).toMatch(/^DATABASE_URL: /);
    expect(complaint).not.toContain('Hunter2');
  });

  it('never repeat a secret that is too short', () => {
    expect(complaintAbout({ KEY_ENCRYPTION_SECRET: 'Hunter2!' })).not.toContain('Hunter2');
  });

  it('know whether the database was chosen', () => {
    expect(settingsOf({ DATABASE_URL: 'sqlite:data/ledger.sqlite' }).databaseIsDefault).toBe(false);
  });

  it('read every part of a MySQL address, decoded', () => {
    const { database } = settingsOf({
      DATABASE_URL: 'mysql://us%40er:p%3A%2F%25%23%3F@[::1]:3307/led%20ger',
    });
    expect(database).toEqual({
      ...{ dialect: 'mysql', hosts: [{ host: '::1', port: 3307 }], user: 'us@er' },
      ...{ password: 'p:/%#?', database: 'led ger' },
    });
  });

  it('take port 3306 and no password where a MySQL address names neither', () => {
    expect(settingsOf({ DATABASE_URL: 'mysql://user@db.example/ledger' }).database).toEqual({
      ...{ dialect: 'mysql', hosts: [{ host: 'db.example', port: 3306 }], user: 'user' },
      ...{ password: '', database: 'ledger' },
    });
  });

  it('read the hosts of a cluster in their order, each with its port', () => {
    const { database } = settingsOf({
      DATABASE_URL: 'mysql://us%40er:p,%2C%40@one:3307,two,[fd00::3]:3309,[fd00::4]/ledger',
    });
    expect(database).toEqual({
      dialect: 'mysql',
      hosts: [
        { host: 'one', port: 3307 },
        { host: 'two', port: 3306 },
        { host: 'fd00::3', port: 3309 },
        { host: 'fd00::4', port: 3306 },
      ],
      ...{ user: 'us@er', password: 'p,,@', database: 'ledger' },
    });
  });

  it('read the addresses of replicas, whatever is in their passwords', () => {
    const DATABASE_REPLICA_URLS = 'mysql://u:p,q@one:3307/a, mysql://v:r@[::1]/b';
    expect(settingsOf({ DATABASE_URL: 'mysql://u:p@h/a', DATABASE_REPLICA_URLS })).toMatchObject({
      replicas: [
        { hosts: [{ host: 'one', port: 3307 }], user: 'u', password: 'p,q', database: 'a' },
        { hosts: [{ host: '::1', port: 3306 }], user: 'v', password: 'r', database: 'b' },
      ],
    });
  });

  it.each([
    ['mysql://u:Hunter2!@a,b/d', /must name one host in each address/],
    ['mysql://u:Hunter2!@a/d,', /must hold addresses that begin with mysql/],
    ['sqlite:Hunter2!', /must hold addresses that begin with mysql/],
  ])('refuse DATABASE_REPLICA_URLS=%s', (DATABASE_REPLICA_URLS, fault) => {
    const complaint = complaintAbout({ DATABASE_URL: 'mysql://u:p@h/d', DATABASE_REPLICA_URLS });
    expect(complaint).toMatch(/^DATABASE_REPLICA_URLS: /);
    expect(complaint).toMatch(fault);
    expect(complaint).not.toContain('Hunter2');
  });

  it('refuse replicas of an SQLite file', () => {
    expect(complaintAbout({ DATABASE_REPLICA_URLS: 'mysql://u:p@h/d' })).toMatch(
      /^DATABASE_REPLICA_URLS: needs a DATABASE_URL that begins with mysql/,
    );
  });
});
