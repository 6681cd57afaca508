import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { principalOf } from '../../modules/accounts/http/current-principal.js';
import { isOpenOperation } from '../../routing/open-operation.js';
import { ApiKeyGuard } from '../api-key.guard.js';
import { accessErrorOf } from '../access-error.js';
import { ApplicationLimits } from './application-limits.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';
import { ConcurrencyLimiter } from './waiting/concurrency-limiter.js';

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
