import { isNativeError } from 'node:util/types';

/**
 * Returns true for an error of any realm. In tests, `instanceof` alone misses errors that Node
 * creates outside the test's realm, and the native check alone misses errors of the SQLite driver.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || isNativeError(value);
}

/** Returns the error code of the operating system or a driver, if any. */
export function codeOf(value: unknown): string | undefined {
  if (!isError(value) || !('code' in value)) return undefined;
  const { code } = value;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined;
}
