import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { LimitStore, type LimitResult } from './store/limit-store.js';
import { RateLimitErrors } from './rate-limit-errors.js';

/** Holds every address to its limits, whatever it asks for. */
@Injectable()
export class AddressLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly refusals: RateLimitErrors,
  ) {}

  /** Counts a request. @throws ApiError too_many_requests where the address is over a limit */
  take(request: Request): true | Promise<true> {
    const { address } = this.settings.limits;
    if (address.length === 0) return true;
    const taken = this.store.take(`address ${clientOf(request)}`, address, 1, { request });
    return taken instanceof Promise ? taken.then((late) => this.judge(late)) : this.judge(taken);
  }

  private judge(taken: LimitResult): true {
    if (!taken.allowed) throw this.refusals.of('address', taken);
    return true;
  }
}
