/** Browsers take it for a scheme, leading spaces aside. */
const SCHEME = /^\s*[a-z][a-z\d+.-]*:/i;
const OF_THE_WEB = /^https?:/i;

export const WEB_ADDRESS = 'an http or https address';

/** True for an address that a browser runs or opens elsewhere, such as `javascript:` and `data:`. */
export function leavesTheWeb(address: string): boolean {
  return SCHEME.test(address) && !OF_THE_WEB.test(address);
}
