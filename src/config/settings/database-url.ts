import { isIP } from 'node:net';
import type { DatabaseTls } from './database-tls.js';
import { SettingError } from '../setting-error.js';

export interface SqliteSettings {
  readonly dialect: 'sqlite';
  readonly path: string;
}

/** Where a server of MySQL or MariaDB listens. */
export interface MysqlHost {
  readonly host: string;
  readonly port: number;
}

export interface MysqlSettings {
  readonly dialect: 'mysql';
  /** The nodes of a cluster in the order in which they are wanted, or the one server there is. */
  readonly hosts: readonly [MysqlHost, ...MysqlHost[]];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: DatabaseTls;
}

export type DatabaseSettings = SqliteSettings | MysqlSettings;

const MYSQL_EXAMPLE = 'mysql://user:password@localhost:3306/ledger';
const REPLICAS = 'DATABASE_REPLICA_URLS';
const DEFAULT_PORT = 3306;
const SCHEME = 'mysql://';

/**
 * Reads DATABASE_URL: `sqlite:PATH` or `mysql://user:password@host:port/database`, which may list
 * several hosts with commas between.
 * @param tls for connections to a server; they are not encrypted if it is not given
 * @throws SettingError that names what is wrong and never repeats the value, which may hold a password
 */
export function readDatabaseUrl(value: string, tls: DatabaseTls = {}): DatabaseSettings {
  const url = new DatabaseUrl('DATABASE_URL', tls);
  if (value.startsWith('sqlite:')) return url.readSqlite(value.slice('sqlite:'.length));
  if (value.startsWith(SCHEME)) return url.readMysql(value);
  throw url.wrong('must begin with sqlite: or mysql://', 'sqlite:data/ledger.sqlite');
}

/**
 * Reads DATABASE_REPLICA_URLS: addresses of one server each, with commas between. Their connections are
 * encrypted as the database's own.
 * @throws SettingError that never repeats the value
 */
export function readReplicaUrls(
  value: string | undefined,
  dialect: DatabaseSettings['dialect'],
  tls: DatabaseTls,
): MysqlSettings[] {
  if (value === undefined) return [];
  if (dialect === 'sqlite') {
    throw new SettingError(
      REPLICAS,
      'needs a DATABASE_URL that begins with mysql://',
      MYSQL_EXAMPLE,
    );
  }
  const url = new DatabaseUrl(REPLICAS, tls);
  // A comma may stand in a password, too.
  const addresses = value.split(/,(?=\s*(?:mysql:\/\/|$))/).map((address) => address.trim());
  return addresses.map((address) => {
    if (!address.startsWith(SCHEME)) {
      throw url.wrong('must hold addresses that begin with mysql://', MYSQL_EXAMPLE);
    }
    const settings = url.readMysql(address);
    if (settings.hosts.length > 1) {
      throw url.wrong('must name one host in each address', MYSQL_EXAMPLE);
    }
    return settings;
  });
}

/** The value of a setting that holds addresses of databases. */
class DatabaseUrl {
  constructor(
    private readonly setting: string,
    private readonly tls: DatabaseTls,
  ) {}

  wrong(problem: string, example: string): SettingError {
    return new SettingError(this.setting, problem, example);
  }

  readSqlite(path: string): SqliteSettings {
    if (this.tls.ssl !== undefined) {
      throw this.wrong('must begin with mysql:// where DATABASE_TLS_CA is set', MYSQL_EXAMPLE);
    }
    if (path === '' || path.startsWith(':')) {
      throw this.wrong(
        'must name a file, since readers and the writer each open it',
        'sqlite:data/ledger.sqlite',
      );
    }
    return { dialect: 'sqlite', path };
  }

  readMysql(value: string): MysqlSettings {
    const { before, listed, after } = partsOf(value);
    const [first, ...others] = listed.split(',').map((host) => this.parsed(before + host + after));
    if (first === undefined) throw this.wrong('names no host', MYSQL_EXAMPLE);
    const database = this.decoded(first.pathname.slice(1));
    if (first.username === '') throw this.wrong('names no user', MYSQL_EXAMPLE);
    if (first.search !== '' || first.hash !== '') {
      throw this.wrong('takes no options behind the database', MYSQL_EXAMPLE);
    }
    if (!/^[^/]+$/.test(database)) {
      throw this.wrong('must end in the name of one database', MYSQL_EXAMPLE);
    }
    const hosts = [hostOf(first), ...others.map(hostOf)] as const;
    // For an address the driver would compare the certificate with "localhost".
    if (this.tls.ssl !== undefined && hosts.some(({ host }) => isIP(host) !== 0)) {
      throw this.wrong('must name its hosts where DATABASE_TLS_CA is set', MYSQL_EXAMPLE);
    }
    return {
      dialect: 'mysql',
      hosts,
      user: this.decoded(first.username),
      password: this.decoded(first.password),
      database,
      tls: this.tls,
    };
  }

  /** The same address with one of its hosts. */
  private parsed(value: string): URL {
    let url: URL;
    try {
      url = new URL(value);
    } catch {
      throw this.wrong('is not a URL', MYSQL_EXAMPLE);
    }
    if (url.hostname === '') throw this.wrong('names no host', MYSQL_EXAMPLE);
    return url;
  }

  private decoded(part: string): string {
    try {
      return decodeURIComponent(part);
    } catch {
      throw this.wrong('holds a % that is no percent-encoding; write it as %25', MYSQL_EXAMPLE);
    }
  }
}

/** An address up to its hosts, the hosts, and what stands behind them. */
function partsOf(address: string) {
  const end = address.slice(SCHEME.length).search(/[/?#]/);
  const whole = end < 0 ? address : address.slice(0, SCHEME.length + end);
  const begin = Math.max(SCHEME.length, whole.lastIndexOf('@') + 1);
  return {
    before: whole.slice(0, begin),
    listed: whole.slice(begin),
    after: address.slice(whole.length),
  };
}

function hostOf({ hostname, port }: URL): MysqlHost {
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? DEFAULT_PORT : Number(port),
  };
}
