import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../../api/errors/api-error.js';
import type { LimitWindows } from './limit-windows.js';
import { recordOf } from '../values/record-of.js';
import { LimitStore, secondsToWait, type LimitResult } from './store/limit-store.js';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../../api/access/client-address.js';
import { isInternal } from '../../api/access/internal-requests.js';

/** The limits by their metric labels, each with the sentence of its error. */
const REASONS = {
  key: 'The rate limit of this API application is exceeded.',
  user: 'The rate limit of this user, over all API applications and pages, is exceeded.',
  at_once: 'This user has too many concurrent requests.',
  address: 'The rate limit of your address is exceeded.',
  failed_keys: 'Too many requests without a valid key from your address.',
  sign_ins: 'Too many sign-in attempts.',
  all_sign_ins: 'Too many people are signing in.',
  codes: 'Too many codes were tried.',
  open: 'The rate limit of this operation, for your address or for this path, is exceeded.',
};
type LimitKind = keyof typeof REASONS;
const KINDS = Object.keys(REASONS).filter((kind): kind is LimitKind => kind in REASONS);

/** Counts requests that never wait, and makes and counts the 429 responses. */
@Injectable()
export class Limiter {
  readonly counts = recordOf(KINDS, () => 0);

  constructor(private readonly store: LimitStore) {}

  /**
   * Counts a request. Without windows there is no limit.
   * @throws ApiError too_many_requests
   */
  take(
    kind: LimitKind,
    request: Request,
    name: string,
    windows: LimitWindows,
  ): true | Promise<true> {
    if (windows.length === 0) return true;
    const result = this.store.take({ name, windows, count: 1, request });
    if (result instanceof Promise) return result.then((late) => this.check(kind, late));
    return this.check(kind, result);
  }

  /** Returns a 429 error whose Retry-After header says when the next request is allowed. */
  of(kind: LimitKind, result: LimitResult): ApiError {
    return this.after(kind, secondsToWait(result));
  }

  after(kind: LimitKind, seconds: number): ApiError {
    this.counts[kind] += 1;
    const detail = `${REASONS[kind]} Wait ${seconds} s.`;
    return new ApiError('too_many_requests', detail, { 'Retry-After': String(seconds) });
  }

  private check(kind: LimitKind, result: LimitResult): true {
    if (!result.allowed) throw this.of(kind, result);
    return true;
  }
}

/** Returns an error that ends a request whose client has disconnected. No client receives it. */
export function clientDisconnected(): ApiError {
  return new ApiError('too_many_requests', 'The client closed the connection.');
}

/** Limits the requests per client address. As a guard, it does so before the key is checked. */
@Injectable()
export class AddressLimits implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly limiter: Limiter,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    return isInternal(request) || this.take(request);
  }

  /** Counts a request. @throws ApiError too_many_requests */
  take(request: Request): true | Promise<true> {
    const { address } = this.settings.limits;
    return this.limiter.take('address', request, `address ${clientOf(request)}`, address);
  }
}
