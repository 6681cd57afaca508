/** Matches only paths of the account, to prevent open redirects. */
const OWN_PATH = /^\/account(?:[/?][^\\]*)?$/;

/** Returns the path from a form or an address if it belongs to the account, or else `otherwise`. */
export function ownPath(path: string, otherwise: string): string {
  return OWN_PATH.test(path) ? path : otherwise;
}
