import { isNativeError } from 'node:util/types';

/**
 * True for an error of any realm: `instanceof` alone misses those that Node makes outside of the
 * realm that a test runs in, and the native check alone misses those that SQLite's driver makes.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || isNativeError(value);
}

/** The code that the system or a driver gave an error, if any. */
export function codeOf(value: unknown): string | undefined {
  if (!isError(value) || !('code' in value)) return undefined;
  const { code } = value;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined;
}
