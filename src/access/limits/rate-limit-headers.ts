import type { ServerResponse } from 'node:http';
import { formatSeconds, type LimitWindow } from '../../common/limit-windows.js';
import type { GivenPlace } from './application-limits.js';
import type { WindowState } from './store/limit-store.js';

interface Texts {
  readonly name: string;
  readonly policy: string;
}

const texts = new WeakMap<LimitWindow, Texts>();

/**
 * Tells a caller what is left of its limits: once for each window of its application
 * (draft-ietf-httpapi-ratelimit-headers), and once in the older headers for the window, of the
 * application or its user, of which the least is left.
 */
export function setRateLimitHeaders(response: ServerResponse, { taken, own }: GivenPlace): void {
  const tightest = taken.states.reduce(tighter);
  // Where the application has none, the user's are its limits.
  const states = own === 0 ? taken.states : taken.states.slice(0, own);
  response.setHeader('X-RateLimit-Limit', tightest.window.requests);
  response.setHeader('X-RateLimit-Remaining', tightest.remaining);
  response.setHeader('X-RateLimit-Reset', secondsOf(tightest));
  response.setHeader(
    'RateLimit-Policy',
    list(states, ({ window }) => textsOf(window).policy),
  );
  response.setHeader('RateLimit', list(states, leftOf));
}

function tighter(left: WindowState, right: WindowState): WindowState {
  if (left.remaining === right.remaining) return left.resetMs >= right.resetMs ? left : right;
  return left.remaining < right.remaining ? left : right;
}

function list(states: readonly WindowState[], textOf: (state: WindowState) => string): string {
  return states.map(textOf).join(', ');
}

function leftOf(state: WindowState): string {
  return `${textsOf(state.window).name};r=${state.remaining};t=${secondsOf(state)}`;
}

/** What a window's headers say each time. */
function textsOf(window: LimitWindow): Texts {
  const known = texts.get(window);
  if (known !== undefined) return known;
  const name = `"${formatSeconds(window.seconds)}"`;
  const made = { name, policy: `${name};q=${window.requests};w=${window.seconds}` };
  texts.set(window, made);
  return made;
}

function secondsOf({ resetMs }: WindowState): number {
  return Math.ceil(resetMs / 1_000);
}
