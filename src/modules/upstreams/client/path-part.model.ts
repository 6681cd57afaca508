/**
 * Encodes a key as a part of a path. Dots alone are encoded too, because servers read them as
 * folders.
 */
export function pathPart(key: string): string {
  return /^\.{1,2}$/.test(key) ? key.replaceAll('.', '%2E') : encodeURIComponent(key);
}
