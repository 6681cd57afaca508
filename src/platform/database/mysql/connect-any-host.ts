import type { DataSource } from 'typeorm';
import { isError } from '../../errors/is-error.js';
import type { DatabaseSettings } from '../../../config/settings/database-url.js';
import { createDataSource, type Schema } from '../data-source.js';
import { mapDriverError } from './mysql-connection.js';
import { isRetryableElsewhere } from '../retry.js';
import { retryWhileBusy } from '../sqlite/sqlite-busy.js';
import { StartError } from '../../errors/domain-error.js';

const MIB = 1024 * 1024;
/** Required packet size, the default of MariaDB. The default of MySQL is four times as large. */
const MIN_PACKET_BYTES = 16 * MIB;

/** Required page size, the default. The longest possible key of an index depends on it. */
const MIN_PAGE_BYTES = 16 * 1024;

const NAMES = [
  'log_bin',
  'binlog_format',
  'max_allowed_packet',
  'innodb_page_size',
  'enforce_storage_engine',
];
/** Reads what `unusableServerSetting` needs, as rows of `Variable_name` and `Value`. */
const SELECT_SERVER_SETTINGS = `SHOW VARIABLES WHERE Variable_name IN (${NAMES.map((name) => `'${name}'`).join(', ')})`;

/**
 * Reports that a variable of the database server, which no session can change, has a value with
 * which the service cannot work.
 */
class UnusableServerError extends StartError {
  constructor(variable: string, value: string, wanted: string) {
    super(`DATABASE_URL: the server has ${variable} = ${value}; the service needs ${wanted}.`);
  }
}

/**
 * Checks the settings of the server.
 * @param values by variable; a variable that the server does not have is ignored
 * @throws UnusableServerError
 */
export function checkServerSettings(values: ReadonlyMap<string, string>): void {
  const format = values.get('binlog_format');
  if (values.get('log_bin') === 'ON' && format === 'STATEMENT') {
    throw new UnusableServerError('binlog_format', format, 'ROW or MIXED');
  }
  const engine = values.get('enforce_storage_engine') ?? '';
  if (engine !== '' && engine !== 'InnoDB') {
    throw new UnusableServerError('enforce_storage_engine', engine, 'InnoDB, or none');
  }
  checkAtLeast(values, 'max_allowed_packet', MIN_PACKET_BYTES);
  checkAtLeast(values, 'innodb_page_size', MIN_PAGE_BYTES);
}

function checkAtLeast(values: ReadonlyMap<string, string>, variable: string, min: number): void {
  const value = values.get(variable);
  if (value !== undefined && Number(value) < min) {
    throw new UnusableServerError(variable, value, `at least ${min}`);
  }
}

/**
 * Connects to the first host on which `work` succeeds. The caller must close the data source.
 * @throws the error of the last host, or immediately an error that would occur on every host
 */
export async function connectAnyHost<Result>(
  database: DatabaseSettings,
  schema: Schema,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  if (database.dialect === 'sqlite') {
    // If several processes open a new file at once, SQLite fails to set WAL without waiting.
    const opened = await retryWhileBusy(() => createDataSource(database, schema).initialize());
    return usingOpened(opened, work);
  }
  let last: unknown;
  for (const host of database.hosts) {
    try {
      const dataSource = await createDataSource(database, schema, host).initialize();
      return await usingOpened(dataSource, async (opened) => {
        await checkServer(opened);
        return work(opened);
      });
    } catch (error) {
      if (!isError(error) || !isRetryableElsewhere(mapDriverError(error))) throw error;
      last = error;
    }
  }
  throw last;
}

async function checkServer(dataSource: DataSource): Promise<void> {
  const rows =
    await dataSource.query<{ readonly Variable_name: string; readonly Value: string }[]>(
      SELECT_SERVER_SETTINGS,
    );
  checkServerSettings(new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value])));
}

async function usingOpened<Result>(
  dataSource: DataSource,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
