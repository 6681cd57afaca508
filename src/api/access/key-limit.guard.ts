import type { ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { principalOf } from './principal.js';
import { isOpenOperation } from '../versions/api-operation.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApplicationLimits, type LimitState } from '../../platform/limits/application-limits.js';
import { ConcurrencyLimiter } from '../../platform/limits/concurrency-limiter.js';
import { ApiError } from '../errors/api-error.js';
import { addressOf, clientOf } from './client-address.js';
import { isInternal } from './internal-requests.js';
import {
  formatSeconds,
  type LimitWindow,
  type LimitWindows,
} from '../../platform/limits/limit-windows.js';
import type { WindowState } from '../../platform/limits/store/limit-store.js';
import { Limiter } from '../../platform/limits/limiter.js';

/**
 * Applies the limits of API applications, and rejects valid keys without access. It replaces the
 * throttler's guard: docs/adr/0021-the-throttlers-storage-without-its-guard.md gives the reasons.
 */
@Injectable()
export class KeyLimitGuard implements CanActivate {
  constructor(
    private readonly limits: ApplicationLimits,
    private readonly concurrency: ConcurrencyLimiter,
    private readonly keys: ApiKeyGuard,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    if (isOpenOperation(context.getHandler())) return true;
    if (isInternal(context.switchToHttp().getRequest<Request>())) return true;
    let error = accessErrorOf(context);
    // A caller without access gets the rate limit headers, but is not counted.
    const hasWaited = await this.take(context, error === null ? 1 : 0);
    if (hasWaited) {
      // The key may have been revoked, or the account suspended, during the wait.
      await this.keys.canActivate(context);
      error = accessErrorOf(context);
    }
    if (error !== null) throw error;
    return true;
  }

  /**
   * Counts the request, sets the rate limit headers, and waits for a place if necessary.
   * @returns true if the request had to wait
   * @throws ApiError too_many_requests
   */
  private async take(context: ExecutionContext, count: 0 | 1): Promise<boolean> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const principal = principalOf(context);
    const state = await this.limits.take(http.getRequest<Request>(), principal, count);
    if (state !== null) {
      setRateLimitHeaders(response, state);
      if (!state.result.allowed) throw this.limits.errorOf(state);
    }
    const hasQueued = await this.concurrency.begin(principal.user_id, response);
    return hasQueued || state?.hasWaited === true;
  }
}

/**
 * Checks the address and the account of a caller with a valid key.
 * @returns why the caller has no access (address or suspension), or null
 */
function accessErrorOf(context: ExecutionContext): ApiError | null {
  const { addresses, suspended } = principalOf(context);
  if (addresses !== null) {
    const address = addressOf(context.switchToHttp().getRequest<Request>());
    if (!addresses.holds(address)) {
      return new ApiError('forbidden', "Your address is not on this key's allow list.");
    }
  }
  if (!suspended) return null;
  return new ApiError('account_suspended', 'The account of this key is suspended.');
}

const texts = new WeakMap<LimitWindow, ReturnType<typeof describeWindow>>();

/**
 * Sets RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers) for each window of the
 * application, and X-RateLimit-* for the tightest window of the application or its user.
 */
function setRateLimitHeaders(response: ServerResponse, { result, own }: LimitState): void {
  const tightest = result.states.reduce(tighter);
  // An application without limits shows the limits of its user.
  const states = own === 0 ? result.states : result.states.slice(0, own);
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
  return textsOf(window).policy;
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

const WINDOWS: LimitWindows = [{ requests: 50, seconds: 1 }];

/**
 * Limits the operations that need no key, per client address and per path. No setting turns this
 * off, since everybody can call them.
 */
@Injectable()
export class OpenLimitGuard implements CanActivate {
  constructor(private readonly limiter: Limiter) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (!isOpenOperation(context.getHandler())) return true;
    return this.take(context.switchToHttp().getRequest<Request>(), context.getHandler().name);
  }

  /**
   * Counts a request for its address and for its path.
   * @throws ApiError too_many_requests
   */
  private async take(request: Request, operation: string): Promise<true> {
    // The path is hashed, so that the store gets no tokens and no long names.
    const path = createHash('sha256').update(JSON.stringify([operation, request.params]));
    const byAddress = `open operations of ${clientOf(request)}`;
    await this.limiter.take('open', request, byAddress, WINDOWS);
    // The path is counted last: a request rejected because of its address does not count towards
    // it.
    return this.limiter.take('open', request, `open path ${path.digest('base64url')}`, WINDOWS);
  }
}
