import { describe, expect, it } from '@jest/globals';
import { complaintAbout, settingsOf } from '../support/processes/settings.js';

describe('the settings of the database', () => {
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

  it.each([
    ['mysql://u:p@h/d?ssl-mode=REQUIRED', /; set DATABASE_TLS_CA for encrypted connections, for /],
    [
      'sqlite://data/ledger.sqlite',
      /^DATABASE_URL: [^,]+, .*DATABASE_URL=sqlite:data\/ledger\.sqlite$/,
    ],
  ])('say what to write in place of %s', (DATABASE_URL, told) => {
    expect(complaintAbout({ DATABASE_URL })).toMatch(told);
  });

  it('take a whole path with two slashes more', () => {
    const { database } = settingsOf({ DATABASE_URL: 'sqlite:///data/ledger.sqlite' });
    expect(database).toEqual({ dialect: 'sqlite', path: '///data/ledger.sqlite' });
  });

  it('read every part of a MySQL address, decoded', () => {
    const { database } = settingsOf({
      DATABASE_URL: 'mysql://us%40er:p%3A%2F%25%23%3F@[::1]:3307/led%20ger',
    });
    expect(database).toEqual({
      dialect: 'mysql',
      hosts: [{ host: '::1', port: 3307 }],
      user: 'us@er',
      password: 'p:/%#?',
      database: 'led ger',
      tls: {},
    });
  });

  it('take port 3306 and no password where a MySQL address names neither', () => {
    expect(settingsOf({ DATABASE_URL: 'mysql://user@db.example/ledger' }).database).toEqual({
      dialect: 'mysql',
      hosts: [{ host: 'db.example', port: 3306 }],
      user: 'user',
      password: '',
      database: 'ledger',
      tls: {},
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
      user: 'us@er',
      password: 'p,,@',
      database: 'ledger',
      tls: {},
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
    ['mysql://u:Hunter2!@a,b/d', /must name one host in each URL/],
    ['mysql://u:Hunter2!@a/d,', /must be a list of URLs that begin with mysql/],
    ['sqlite:Hunter2!', /must be a list of URLs that begin with mysql/],
  ])('refuse DATABASE_REPLICA_URLS=%s', (DATABASE_REPLICA_URLS, fault) => {
    const complaint = complaintAbout({ DATABASE_URL: 'mysql://u:p@h/d', DATABASE_REPLICA_URLS });
    expect(complaint).toMatch(/^DATABASE_REPLICA_URLS: /);
    expect(complaint).toMatch(fault);
    expect(complaint).not.toContain('Hunter2');
  });

  it('encrypt the connections to hosts and replicas alike, and compare names', () => {
    const ssl = { rejectUnauthorized: true, verifyIdentity: true };
    const settings = settingsOf({
      DATABASE_URL: 'mysql://u:p@one,two/d',
      DATABASE_REPLICA_URLS: 'mysql://u:p@three/d',
      DATABASE_TLS_CA: 'system',
    });
    expect(settings).toMatchObject({ database: { tls: { ssl } }, replicas: [{ tls: { ssl } }] });
  });

  it.each([
    ['mysql://u:Hunter2!@one,10.0.0.2/d', undefined, /^DATABASE_URL: must use host names/],
    ['mysql://u:Hunter2!@[::1]/d', undefined, /^DATABASE_URL: must use host names/],
    ['mysql://u:p@h/d', 'mysql://u:Hunter2!@::1/d', /^DATABASE_REPLICA_URLS: /],
    [
      'mysql://u:p@h/d',
      'mysql://u:Hunter2!@10.0.0.2/d',
      /^DATABASE_REPLICA_URLS: must use host names/,
    ],
    ['sqlite:Hunter2!', undefined, /^DATABASE_URL: must begin with mysql/],
    [undefined, undefined, /^DATABASE_URL: must begin with mysql/],
  ])('refuse to encrypt %s with %s', (DATABASE_URL, DATABASE_REPLICA_URLS, fault) => {
    const urls = { DATABASE_URL, DATABASE_REPLICA_URLS };
    const complaint = complaintAbout({ ...urls, DATABASE_TLS_CA: 'system' });
    expect(complaint).toMatch(fault);
    expect(complaint).not.toContain('Hunter2');
  });

  it('refuse replicas of an SQLite file', () => {
    expect(complaintAbout({ DATABASE_REPLICA_URLS: 'mysql://u:p@h/d' })).toMatch(
      /^DATABASE_REPLICA_URLS: needs a DATABASE_URL that begins with mysql/,
    );
  });
});
