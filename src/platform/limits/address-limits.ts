import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../../api/access/client-address.js';
import { Limiter } from './limiter.js';

/** Limits the requests per client address. As a guard, it does so before the key is checked. */
@Injectable()
export class AddressLimits implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly limiter: Limiter,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    return this.take(context.switchToHttp().getRequest<Request>());
  }

  /** Counts a request. @throws ApiError too_many_requests */
  take(request: Request): true | Promise<true> {
    const { address } = this.settings.limits;
    return this.limiter.take('address', request, `address ${clientOf(request)}`, address);
  }
}
