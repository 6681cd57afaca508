import { codeOf, isError } from '../../common/errors/is-error.js';

/** What MySQL or MariaDB refused to a user. */
export interface DeniedRight {
  /** As GRANT takes it. */
  readonly right: string;
  /** Quoted, as GRANT takes it. */
  readonly user: string;
  /** True for a right that only changes of the schema need. */
  readonly isForSchema: boolean;
}

const CODES: ReadonlySet<string> = new Set([
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
]);
const OF_EVERY_DAY = /^(SELECT|INSERT|UPDATE|DELETE)\b/;
/** Servers have said it in these words for decades; only English ones are understood. */
const MESSAGE = /^([A-Z][A-Z ,]*) command denied to user ('[^']*'@'[^']*')/;

/** @returns null where the error is another */
export function deniedRight(error: unknown): DeniedRight | null {
  if (!isError(error) || !CODES.has(codeOf(error) ?? '')) return null;
  const [, right, user] = MESSAGE.exec(error.message) ?? [];
  if (right === undefined || user === undefined) return null;
  return { right, user, isForSchema: !OF_EVERY_DAY.test(right) };
}
