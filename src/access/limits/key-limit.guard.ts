import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
} from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { refusalOf } from '../account.guard.js';
import { ApiKeyGuard } from '../api-key.guard.js';
import { principalOf } from '../../modules/accounts/http/current-principal.js';
import { ApplicationLimits } from './application-limits.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';
import { RequestsUnderWay } from './waiting/requests-under-way.js';
import { LimitStore } from './store/limit-store.js';

/**
 * Holds every API application to its allowance. The library's guard would have a bucket for each
 * handler and window, and take from one window what another refuses.
 */
@Injectable()
export class KeyLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() store: LimitStore,
    reflector: Reflector,
    private readonly limits: ApplicationLimits,
    private readonly underWay: RequestsUnderWay,
    private readonly keys: ApiKeyGuard,
  ) {
    super(options, store, reflector);
  }

  /** The windows are not the library's to know, so it has nothing to prepare, and to warn of. */
  override onModuleInit(): Promise<void> {
    return Promise.resolve();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    // Whoever is turned away in any case is told the allowance and uses none of it.
    const count = refusalOf(context) === null ? 1 : 0;
    const response = http.getResponse<Response>();
    const principal = principalOf(context);
    const place = await this.limits.take(http.getRequest<Request>(), principal, count);
    if (place !== null) {
      setRateLimitHeaders(response, place);
      if (!place.taken.allowed) throw this.limits.refusalOf(place);
    }
    const hasStood = await this.underWay.begin(principal.user_id, response);
    // While it waited, its key may have been revoked.
    return hasStood || place?.hasWaited === true ? this.keys.canActivate(context) : true;
  }
}
