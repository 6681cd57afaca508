import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { LimitStore, type LimitResult } from './store/limit-store.js';
import { RateLimitErrors } from './rate-limit-errors.js';

/** Limits the requests per client address. */
@Injectable()
export class AddressLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly errors: RateLimitErrors,
  ) {}

  /** Counts a request. @throws ApiError too_many_requests */
  take(request: Request): true | Promise<true> {
    const { address } = this.settings.limits;
    if (address.length === 0) return true;
    const result = this.store.take(`address ${clientOf(request)}`, address, 1, { request });
    return result instanceof Promise ? result.then((late) => this.check(late)) : this.check(result);
  }

  private check(result: LimitResult): true {
    if (!result.allowed) throw this.errors.of('address', result);
    return true;
  }
}
