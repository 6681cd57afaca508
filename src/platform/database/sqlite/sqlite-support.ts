import { SettingError } from '../../../config/read-value.js';

/** The first version of Node.js on which the SQLite driver crashes. */
const BROKEN = [24, 19] as const;

/**
 * Checks that the SQLite driver works on this version of Node.js. Node.js 24.19 changed a base
 * class in its headers: better-sqlite3 12, compiled with them, aborts the process when a statement
 * is garbage-collected. TypeORM does not yet support better-sqlite3 13, which has a fix. A refused
 * start is better than a later crash.
 * @param version of Node.js, such as 24.19.0
 * @throws SettingError if SQLite cannot be used
 */
export function assertSqliteIsSafe(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < BROKEN[0] || (major === BROKEN[0] && minor < BROKEN[1])) return;
  throw new SettingError(
    'DATABASE_URL',
    `SQLite cannot be used on Node.js ${version}, on which its driver crashes: use Node.js 22, 24.11 to 24.18, or MySQL or MariaDB`,
    'mysql://user:password@localhost:3306/database',
  );
}
