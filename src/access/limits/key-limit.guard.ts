import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { principalOf } from '../../modules/accounts/http/current-principal.js';
import { ApiKeyGuard } from '../api-key.guard.js';
import { refusalOf } from '../refusal.js';
import { ApplicationLimits } from './application-limits.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';
import { RequestsUnderWay } from './waiting/requests-under-way.js';

/**
 * Holds every API application to its allowance, and keeps out who has a good key and yet may not come
 * in. Why this is not the throttler's guard: docs/adr/0021-the-throttlers-storage-without-its-guard.md
 */
@Injectable()
export class KeyLimitGuard implements CanActivate {
  constructor(
    private readonly limits: ApplicationLimits,
    private readonly underWay: RequestsUnderWay,
    private readonly keys: ApiKeyGuard,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const refusal = refusalOf(context);
    // Whoever is turned away in any case is told the allowance and uses none of it.
    const hasWaited = await this.takePlace(context, refusal === null ? 1 : 0);
    const refusalNow = hasWaited ? await this.refusalAfterWait(context) : refusal;
    if (refusalNow !== null) throw refusalNow;
    return true;
  }

  /**
   * @returns true where the request had to wait
   * @throws ApiError too_many_requests where there is no place for it
   */
  private async takePlace(context: ExecutionContext, count: 0 | 1): Promise<boolean> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const principal = principalOf(context);
    const place = await this.limits.take(http.getRequest<Request>(), principal, count);
    if (place !== null) {
      setRateLimitHeaders(response, place);
      if (!place.taken.allowed) throw this.limits.refusalOf(place);
    }
    const hasStood = await this.underWay.begin(principal.user_id, response);
    return hasStood || place?.hasWaited === true;
  }

  /** While it waited, its key may have been revoked, or its account suspended. */
  private async refusalAfterWait(context: ExecutionContext): Promise<Error | null> {
    await this.keys.canActivate(context);
    return refusalOf(context);
  }
}
