/** A key as a part of a path. Dots alone are encoded too: servers would take them for folders. */
export function pathPart(key: string): string {
  return /^\.{1,2}$/.test(key) ? key.replaceAll('.', '%2E') : encodeURIComponent(key);
}
