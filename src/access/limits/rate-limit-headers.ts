import type { ServerResponse } from 'node:http';
import { formatSeconds, type LimitWindow } from '../../common/limit-windows.js';
import type { LimitState } from './application-limits.js';
import type { WindowState } from './store/limit-store.js';

const texts = new WeakMap<LimitWindow, ReturnType<typeof describeWindow>>();

/**
 * Sets RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers) for each window of the
 * application, and X-RateLimit-* for the tightest window of the application or its user.
 */
export function setRateLimitHeaders(response: ServerResponse, { result, own }: LimitState): void {
  const tightest = result.states.reduce(tighter);
  // An application without limits shows the limits of its user.
  const states = own === 0 ? result.states : result.states.slice(0, own);
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

function textsOf(window: LimitWindow) {
  const known = texts.get(window);
  if (known !== undefined) return known;
  const described = describeWindow(window);
  texts.set(window, described);
  return described;
}

function describeWindow({ requests, seconds }: LimitWindow) {
  const name = `"${formatSeconds(seconds)}"`;
  return { name, policy: `${name};q=${requests};w=${seconds}` };
}

function secondsOf({ resetMs }: WindowState): number {
  return Math.ceil(resetMs / 1_000);
}
