/** Only paths of the account, to prevent open redirects. */
const OWN_PATH = /^\/account(?:[/?][^\\]*)?$/;

/** A path of the account that a form or an address named, or the other one. */
export function ownPath(path: string, otherwise: string): string {
  return OWN_PATH.test(path) ? path : otherwise;
}
