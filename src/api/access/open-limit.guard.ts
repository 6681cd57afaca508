import { createHash } from 'node:crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from '../../platform/limits/limit-windows.js';
import { isOpenOperation } from '../versions/api-operation.js';
import { clientOf } from './client-address.js';
import { Limiter } from '../../platform/limits/limiter.js';

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
