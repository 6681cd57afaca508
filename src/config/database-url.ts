import { SettingError } from './setting-error.js';

export interface SqliteSettings {
  readonly dialect: 'sqlite';
  readonly path: string;
}

export interface MysqlSettings {
  readonly dialect: 'mysql';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export type DatabaseSettings = SqliteSettings | MysqlSettings;

const MYSQL_EXAMPLE = 'mysql://user:password@localhost:3306/ledger';

/**
 * Reads DATABASE_URL: `sqlite:PATH` or `mysql://user:password@host:port/database`.
 * @throws SettingError that names what is wrong and never repeats the value, which may hold a password
 */
export function readDatabaseUrl(value: string): DatabaseSettings {
  if (value.startsWith('sqlite:')) return readSqlitePath(value.slice('sqlite:'.length));
  if (value.startsWith('mysql://')) return readMysqlUrl(value);
  throw wrong('must begin with sqlite: or mysql://', 'sqlite:data/ledger.sqlite');
}

function readSqlitePath(path: string): DatabaseSettings {
  if (path === '' || path.startsWith(':')) {
    throw wrong(
      'must name a file, since readers and the writer each open it',
      'sqlite:data/ledger.sqlite',
    );
  }
  return { dialect: 'sqlite', path };
}

function readMysqlUrl(value: string): DatabaseSettings {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw wrong('is not a URL', MYSQL_EXAMPLE);
  }
  const database = decode(url.pathname.slice(1));
  if (url.hostname === '') throw wrong('names no host', MYSQL_EXAMPLE);
  if (url.username === '') throw wrong('names no user', MYSQL_EXAMPLE);
  if (url.search !== '' || url.hash !== '') {
    throw wrong('takes no options behind the database', MYSQL_EXAMPLE);
  }
  if (!/^[^/]+$/.test(database)) throw wrong('must end in the name of one database', MYSQL_EXAMPLE);
  return {
    dialect: 'mysql',
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 3306 : Number(url.port),
    user: decode(url.username),
    password: decode(url.password),
    database,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong('holds a % that is no percent-encoding; write it as %25', MYSQL_EXAMPLE);
  }
}

function wrong(problem: string, example: string): SettingError {
  return new SettingError('DATABASE_URL', problem, example);
}
