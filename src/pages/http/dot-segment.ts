/**
 * Returns whether a key is `.` or `..`. Browsers remove these segments from a path, even if they
 * are encoded, so links have such a key in the query instead.
 */
export function isDotSegment(key: string): boolean {
  return key === '.' || key === '..';
}
