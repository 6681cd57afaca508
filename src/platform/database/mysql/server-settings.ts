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
export const SELECT_SERVER_SETTINGS = `SHOW VARIABLES WHERE Variable_name IN (${NAMES.map((name) => `'${name}'`).join(', ')})`;

/**
 * Reports that a variable of the database server, which no session can change, has a value with
 * which the service cannot work.
 */
export class UnusableServerError extends StartError {
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
