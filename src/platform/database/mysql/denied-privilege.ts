import { codeOf, isError } from '../../errors/is-error.js';

const CODES: ReadonlySet<string> = new Set([
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
]);
const DATA_PRIVILEGES = /^(SELECT|INSERT|UPDATE|DELETE)\b/;
/** Matches the English message of MySQL and MariaDB, which has not changed for decades. */
const MESSAGE = /^([A-Z][A-Z ,]*) command denied to user ('[^']*'@'[^']*')/;

/**
 * Returns the privilege that a database user lacks, and the quoted user, both as GRANT accepts
 * them.
 * @returns null for any other error
 */
export function deniedPrivilege(error: unknown) {
  if (!isError(error) || !CODES.has(codeOf(error) ?? '')) return null;
  const [, privilege, user] = MESSAGE.exec(error.message) ?? [];
  if (privilege === undefined || user === undefined) return null;
  return { privilege, user, isForSchema: !DATA_PRIVILEGES.test(privilege) };
}
