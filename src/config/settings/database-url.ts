import { isIP } from 'node:net';
import { SettingError, type SettingSource } from '../read-value.js';
import { readAuthorities } from './authority-file.js';

export interface SqliteSettings {
  readonly dialect: 'sqlite';
  readonly path: string;
}

export interface MysqlHost {
  readonly host: string;
  readonly port: number;
}

export interface MysqlSettings {
  readonly dialect: 'mysql';
  /** A single server, or the hosts of a cluster in order of preference. */
  readonly hosts: readonly [MysqlHost, ...MysqlHost[]];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: DatabaseTls;
}

export type DatabaseSettings = SqliteSettings | MysqlSettings;

const MYSQL_EXAMPLE = 'mysql://user:password@localhost:3306/ledger';
const DEFAULT_URL = 'sqlite:data/ledger.sqlite';
const DEFAULT_PORT = 3306;
const SCHEME = 'mysql://';

/**
 * Reads DATABASE_URL: `sqlite:PATH`, or `mysql://user:password@host:port/database` with one or
 * several hosts, separated by commas.
 * @param tls connections are not encrypted by default
 * @throws SettingError without the value, which may contain a password
 */
export function readDatabaseUrl(value: string, tls: DatabaseTls = {}): DatabaseSettings {
  const url = new DatabaseUrl('DATABASE_URL', tls);
  if (value.startsWith('sqlite:')) return url.readSqlite(value.slice('sqlite:'.length));
  if (value.startsWith(SCHEME)) return url.readMysql(value);
  throw url.invalid('must begin with sqlite: or mysql://', DEFAULT_URL);
}

/**
 * Reads DATABASE_REPLICA_URLS: URLs of one server each, separated by commas.
 * @throws SettingError without the value, which may contain a password
 */
function readReplicaUrls(
  value: string | undefined,
  dialect: DatabaseSettings['dialect'],
  tls: DatabaseTls,
): MysqlSettings[] {
  if (value === undefined) return [];
  const url = new DatabaseUrl('DATABASE_REPLICA_URLS', tls);
  if (dialect === 'sqlite') {
    throw url.invalid('needs a DATABASE_URL that begins with mysql://');
  }
  // A password may contain a comma, too.
  const addresses = value.split(/,(?=\s*(?:mysql:\/\/|$))/).map((address) => address.trim());
  return addresses.map((address) => {
    if (!address.startsWith(SCHEME)) {
      throw url.invalid('must be a list of URLs that begin with mysql://');
    }
    const settings = url.readMysql(address);
    if (settings.hosts.length > 1) throw url.invalid('must name one host in each URL');
    return settings;
  });
}

/** Parses database URLs of one setting. */
class DatabaseUrl {
  constructor(
    private readonly setting: string,
    private readonly tls: DatabaseTls,
  ) {}

  invalid(problem: string, example = MYSQL_EXAMPLE): SettingError {
    return new SettingError(this.setting, problem, example);
  }

  readSqlite(path: string): SqliteSettings {
    if (this.tls.ssl !== undefined) {
      throw this.invalid('must begin with mysql:// if DATABASE_TLS_CA is set');
    }
    if (path.startsWith('//') && !path.startsWith('///')) {
      throw this.invalid('must have no // before a path', DEFAULT_URL);
    }
    if (path === '' || path.startsWith(':')) {
      throw this.invalid('must name a file; a database in memory cannot be used', DEFAULT_URL);
    }
    return { dialect: 'sqlite', path };
  }

  readMysql(value: string): MysqlSettings {
    const { before, listed, after } = partsOf(value);
    const [first, ...others] = listed.split(',').map((host) => this.parsed(before + host + after));
    if (first === undefined) throw this.invalid('names no host');
    const database = this.decoded(first.pathname.slice(1));
    if (first.username === '') throw this.invalid('names no user');
    if (first.search !== '' || first.hash !== '') {
      throw this.invalid(
        'must have no options after the database name; set DATABASE_TLS_CA for encrypted connections',
      );
    }
    if (!/^[^/]+$/.test(database)) throw this.invalid('must end with a database name');
    const hosts = [hostOf(first), ...others.map(hostOf)] as const;
    // The driver compares the certificate with "localhost" if the host is an IP address.
    if (this.tls.ssl !== undefined && hosts.some(({ host }) => isIP(host) !== 0)) {
      throw this.invalid('must use host names, not IP addresses, if DATABASE_TLS_CA is set');
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

  private parsed(value: string): URL {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null) throw this.invalid('is not a URL');
    if (url.hostname === '') throw this.invalid('names no host');
    return url;
  }

  private decoded(part: string): string {
    try {
      return decodeURIComponent(part);
    } catch {
      throw this.invalid('contains an invalid percent-encoding; write % as %25');
    }
  }
}

/** Splits a URL into its hosts and the text before and after them. */
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

/** TLS options of the MySQL driver; empty for unencrypted connections. */
export interface DatabaseTls {
  readonly ssl?: {
    /** PEM of the accepted certificate authorities; those of Node.js if not set. */
    readonly ca?: Buffer;
    readonly rejectUnauthorized: true;
    /** Requires that the certificate matches the host name. */
    readonly verifyIdentity: true;
  };
}

const STRICT = { rejectUnauthorized: true, verifyIdentity: true } as const;
/** Replaces the TLS options of an unusable file while the other settings are checked. */
const UNREAD_DATABASE_TLS: DatabaseTls = { ssl: STRICT };

const KNOWN_TO_NODE = 'system';

/**
 * Reads DATABASE_TLS_CA: a PEM file, or `system`; without it connections are not encrypted.
 * @throws SettingError if the file cannot be read or contains no certificate
 */
function readDatabaseTls(value: string | undefined): DatabaseTls {
  if (value === undefined) return {};
  if (value === KNOWN_TO_NODE) return { ssl: STRICT };
  const unreadable = `is neither ${KNOWN_TO_NODE} nor a readable file`;
  const ca = readAuthorities('DATABASE_TLS_CA', value, unreadable, '/etc/ssl/database-ca.pem');
  return { ssl: { ...STRICT, ca } };
}

/** Checks each setting even if the previous one is invalid. */
export function readDatabases(source: SettingSource) {
  const readTls = () => readDatabaseTls(source.valueOf('DATABASE_TLS_CA'));
  const tls = source.attempt(readTls, UNREAD_DATABASE_TLS);
  const url = source.valueOf('DATABASE_URL') ?? DEFAULT_URL;
  const database = source.attempt(() => readDatabaseUrl(url, tls), null);
  const listed = source.valueOf('DATABASE_REPLICA_URLS');
  const readReplicas = () => readReplicaUrls(listed, database?.dialect ?? 'mysql', tls);
  const replicas = source.attempt(readReplicas, []);
  return { database: database ?? readDatabaseUrl(DEFAULT_URL), replicas };
}
