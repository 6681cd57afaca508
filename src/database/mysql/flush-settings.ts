import type { Logger } from '@nestjs/common';
import type { MysqlConnection } from './mysql-connection.js';

const NAMES = ['innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin'] as const;
const ADVICE = 'see docs/operating.md, "What an acknowledged write survives"';

/** Warns if a commit that the server has acknowledged may be lost when its machine fails. */
export async function warnOfLossyFlush(connection: MysqlConnection, logger: Logger): Promise<void> {
  const names = NAMES.map((name) => `'${name}'`).join(', ');
  const rows = await connection.command<readonly [string, string]>(
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names})`,
  );
  for (const setting of lossyFlushSettings(new Map(rows))) {
    logger.warn(`${setting}: an acknowledged write may be lost with a power failure; ${ADVICE}.`);
  }
}

/**
 * Returns the settings that can lose a commit, such as `sync_binlog = 0`.
 * @param values by variable; a variable that the server does not have is ignored
 */
export function lossyFlushSettings(values: ReadonlyMap<string, string>): string[] {
  const flushed = NAMES.slice(0, values.get('log_bin') === 'ON' ? 2 : 1);
  return flushed.flatMap((name) => {
    const value = values.get(name) ?? '1';
    return value === '1' ? [] : [`${name} = ${value}`];
  });
}
