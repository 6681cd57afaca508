import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from './limit-windows.js';
import { Settings } from '../../config/settings.js';
import type { Principal } from '../../api/access/principal.js';
import { Limiter } from './limiter.js';
import { LimitStore, PART_OF, type LimitResult } from './store/limit-store.js';
import { WaitingRequests } from './waiting-requests.js';

/** Describes the limits of a request after it was counted. */
export interface LimitState {
  /** The windows of the application, then those of its user. */
  readonly result: LimitResult;
  /** The first windows of the result, this many, are the application's own. */
  readonly own: number;
  readonly hasWaited: boolean;
}

/**
 * Limits each API application over all its keys, operations and versions, and each user over all
 * applications and pages. An application with its own limits does not count towards its user's.
 */
@Injectable()
export class ApplicationLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly waiting: WaitingRequests,
    private readonly limiter: Limiter,
  ) {}

  /**
   * Counts a request, and waits if it will be allowed soon.
   * @param count 0 only reads the state
   * @returns null if there is no limit; otherwise the caller checks whether the result is allowed
   * @throws ApiError if the client disconnects while it waits
   */
  async take(request: Request, principal: Principal, count: 0 | 1): Promise<LimitState | null> {
    const { application_id, user_id, limits } = principal;
    const owner = `user ${user_id}`;
    const name = `${owner}${PART_OF}application ${application_id}`;
    const windows = limits ?? this.settings.limits.key;
    const ofUser = limits === null ? this.settings.limits.user : [];
    if (windows.length + ofUser.length === 0) return null;
    const beside = ofUser.length === 0 ? undefined : { name: owner, windows: ofUser };
    const own = windows.length;
    if (count === 0) {
      const result = await this.store.take({ name, windows, count, request, beside });
      return { result, own, hasWaited: false };
    }
    const candidate = { request, owner, name, windows, beside };
    return { ...(await this.waiting.ofApplications.take(candidate)), own };
  }

  /**
   * Counts an account page for its user, and waits if it will be allowed soon.
   * @throws ApiError too_many_requests
   */
  async takeForPage(request: Request, user_id: number): Promise<void> {
    const windows: LimitWindows = this.settings.limits.user;
    if (windows.length === 0) return;
    const owner = `user ${user_id}`;
    const candidate = { request, owner, name: owner, windows };
    const { result } = await this.waiting.ofApplications.take(candidate);
    if (!result.allowed) throw this.limiter.of('user', result);
  }

  errorOf({ result, own }: LimitState): Error {
    const isOwn = result.states.slice(0, own).some(({ remaining }) => remaining === 0);
    return this.limiter.of(isOwn ? 'key' : 'user', result);
  }
}
