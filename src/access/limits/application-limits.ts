import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from '../../common/limit-windows.js';
import { Settings } from '../../config/settings.js';
import type { Principal } from '../../modules/accounts/account.model.js';
import { RateLimitErrors } from './rate-limit-errors.js';
import { LimitStore, PART_OF, type Allowance, type LimitResult } from './store/limit-store.js';
import { WaitingRequests } from './waiting/waiting-requests.js';

/** What a request was given of its limits. */
export interface GivenPlace {
  /** What is left: of the application, then of its user. */
  readonly taken: LimitResult;
  /** How many of those are the application's own. */
  readonly own: number;
  readonly hasWaited: boolean;
}

/**
 * Holds every API application to its limits, one allowance for all its keys, operations and versions,
 * and every user to those over all its applications and pages. An application to which the operator
 * gave limits counts by those alone.
 */
@Injectable()
export class ApplicationLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly waiting: WaitingRequests,
    private readonly refusals: RateLimitErrors,
  ) {}

  /**
   * Takes a place, and waits for it where it comes up soon enough.
   * @param count 0 only looks
   * @returns null where there is no limit; what was taken may not be allowed
   * @throws ApiError where the client went while its request waited
   */
  async take(request: Request, principal: Principal, count: 0 | 1): Promise<GivenPlace | null> {
    const { application_id, user_id, limits } = principal;
    const owner = `user ${user_id}`;
    const name = `${owner}${PART_OF}application ${application_id}`;
    const windows = limits ?? this.settings.limits.key;
    const ofUser = limits === null ? this.settings.limits.user : [];
    if (windows.length + ofUser.length === 0) return null;
    const beside = ofUser.length === 0 ? undefined : { name: owner, windows: ofUser };
    const place = await this.takeOf(request, owner, { name, windows }, count, beside);
    return { ...place, own: windows.length };
  }

  /**
   * Takes a place of a user's for a page, and waits for it as above.
   * @throws ApiError too_many_requests where none comes up in time
   */
  async takeForPage(request: Request, user_id: number): Promise<void> {
    const windows: LimitWindows = this.settings.limits.user;
    if (windows.length === 0) return;
    const owner = `user ${user_id}`;
    const { taken } = await this.takeOf(request, owner, { name: owner, windows }, 1);
    if (!taken.allowed) throw this.refusals.of('user', taken);
  }

  refusalOf({ taken, own }: GivenPlace): Error {
    const isOwn = taken.states.slice(0, own).some(({ remaining }) => remaining === 0);
    return this.refusals.of(isOwn ? 'key' : 'user', taken);
  }

  private async takeOf(
    request: Request,
    owner: string,
    { name, windows }: Allowance,
    count: 0 | 1,
    beside?: Allowance,
  ): Promise<Omit<GivenPlace, 'own'>> {
    const { ofApplications: room } = this.waiting;
    const longestWaitMs = room.longestWait(owner);
    const asked = this.store.take(name, windows, count, { request, longestWaitMs, beside });
    const taken = asked instanceof Promise ? await asked : asked;
    if (!taken.allowed) room.noteRefusal(owner, taken);
    if (!taken.allowed || count === 0 || taken.waitMs === 0) return { taken, hasWaited: false };
    const look = () => this.store.take(name, windows, 0, { request, beside });
    return { taken: await room.wait({ request, owner, name, look }, taken), hasWaited: true };
  }
}
