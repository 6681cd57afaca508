import type { ServerResponse } from 'node:http';
import { formatSeconds, type LimitWindow } from '../../common/limit-windows.js';
import type { Taken, WindowState } from './limit-store.js';

/**
 * Tells a caller what is left of its limits: once for each window (draft-ietf-httpapi-ratelimit-headers),
 * and once in the older headers for the window of which the least is left.
 */
export function tellLimits(response: ServerResponse, { states }: Taken): void {
  const tightest = states.reduce(tighter);
  response.setHeader('X-RateLimit-Limit', tightest.window.requests);
  response.setHeader('X-RateLimit-Remaining', tightest.remaining);
  response.setHeader('X-RateLimit-Reset', secondsOf(tightest));
  response.setHeader('RateLimit-Policy', states.map(policyOf).join(', '));
  response.setHeader('RateLimit', states.map(leftOf).join(', '));
}

function tighter(left: WindowState, right: WindowState): WindowState {
  if (left.remaining === right.remaining) return left.resetMs >= right.resetMs ? left : right;
  return left.remaining < right.remaining ? left : right;
}

function policyOf({ window }: WindowState): string {
  return `"${nameOf(window)}";q=${window.requests};w=${window.seconds}`;
}

function leftOf(state: WindowState): string {
  return `"${nameOf(state.window)}";r=${state.remaining};t=${secondsOf(state)}`;
}

function nameOf({ seconds }: LimitWindow): string {
  return formatSeconds(seconds);
}

function secondsOf({ resetMs }: WindowState): number {
  return Math.ceil(resetMs / 1_000);
}
