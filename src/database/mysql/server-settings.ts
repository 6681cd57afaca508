const MIB = 1024 * 1024;
/** The default of MariaDB; MySQL's is four times as much. */
const MIN_PACKET_BYTES = 16 * MIB;

const NAMES = ['log_bin', 'binlog_format', 'max_allowed_packet'] as const;
/** Reads what `unusableServerSetting` needs, as rows of `Variable_name` and `Value`. */
export const SELECT_SERVER_SETTINGS = `SHOW VARIABLES WHERE Variable_name IN (${NAMES.map((name) => `'${name}'`).join(', ')})`;

/** A variable of the database server, which no session can change, has a value that the service cannot work with. */
export class UnusableServerError extends Error {
  override readonly name = this.constructor.name;

  constructor(variable: string, value: string, wanted: string) {
    super(`DATABASE_URL: the server has ${variable} = ${value}; the service needs ${wanted}.`);
  }
}

/**
 * @param values by variable; a server that does not have one has nothing to tell
 * @throws UnusableServerError
 */
export function checkServerSettings(values: ReadonlyMap<string, string>): void {
  const format = values.get('binlog_format');
  if (values.get('log_bin') === 'ON' && format === 'STATEMENT') {
    throw new UnusableServerError('binlog_format', format, 'ROW or MIXED');
  }
  const packet = values.get('max_allowed_packet');
  if (packet !== undefined && Number(packet) < MIN_PACKET_BYTES) {
    throw new UnusableServerError('max_allowed_packet', packet, `at least ${MIN_PACKET_BYTES}`);
  }
}
