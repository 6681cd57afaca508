/** Matches a URL scheme as browsers recognize it: they ignore leading spaces. */
const SCHEME = /^\s*[a-z][a-z\d+.-]*:/i;
const OF_THE_WEB = /^https?:/i;

export const WEB_ADDRESS = 'an http or https address';

/**
 * Returns true for an address with a scheme other than http or https, such as `javascript:` or
 * `data:`.
 */
export function leavesTheWeb(address: string): boolean {
  return SCHEME.test(address) && !OF_THE_WEB.test(address);
}
