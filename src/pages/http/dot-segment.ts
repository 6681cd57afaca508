/**
 * Browsers take the segments `.` and `..` out of a path, however they are written. A key that is one of them
 * is in the query instead.
 */
export function isDotSegment(key: string): boolean {
  return key === '.' || key === '..';
}
