import { SettingError } from '../../config/setting-error.js';

/** The first version of Node.js on which the driver of SQLite, compiled for it, ends the process. */
const ENDING = [24, 19] as const;

/**
 * Node.js 24.19 changed a base class in its headers: better-sqlite3 12, compiled with them, aborts the
 * process when a statement is collected as garbage. TypeORM does not take better-sqlite3 13, which has
 * that mended, yet. A service that is refused at its start is better than one that ends at some time.
 * @param version of Node.js, such as 24.19.0
 * @throws SettingError where SQLite can not be used
 */
export function assertSqliteIsSafe(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < ENDING[0] || (major === ENDING[0] && minor < ENDING[1])) return;
  throw new SettingError(
    'DATABASE_URL',
    `SQLite can not be used on Node.js ${version}, on which its driver ends the process at some time: use Node.js 22, 24.11 to 24.18, or MySQL or MariaDB`,
    'mysql://user:password@localhost:3306/database',
  );
}
