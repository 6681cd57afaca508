import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import type { Principal } from '../../modules/accounts/account.model.js';
import { Refusals } from './refusals.js';
import { LimitStore, type Taken } from './store/limit-store.js';
import { WaitingRequests } from './waiting-requests.js';

/** What a request was given of the limits of its application. */
export interface Allowance {
  /** What is left. */
  readonly taken: Taken;
  readonly hasWaited: boolean;
}

/** Holds every API application to its limits: one allowance for all its keys, operations and versions. */
@Injectable()
export class ApplicationLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly waiting: WaitingRequests,
    private readonly refusals: Refusals,
  ) {}

  /**
   * Takes a place, and waits for it where it comes up soon enough.
   * @param count 0 only looks
   * @returns null where there is no limit; what was taken may not be allowed
   * @throws ApiError where the client went while its request waited
   */
  async take(request: Request, principal: Principal, count: 0 | 1): Promise<Allowance | null> {
    const { application_id, user_id, limits } = principal;
    const windows = limits ?? this.settings.limits.key;
    if (windows.length === 0) return null;
    const { ofApplications: room } = this.waiting;
    const [name, owner] = [`application ${application_id}`, `user ${user_id}`];
    const asked = this.store.take(name, windows, count, room.longestWait(owner));
    const taken = asked instanceof Promise ? await asked : asked;
    if (!taken.allowed) room.noteRefusal(owner, taken);
    if (!taken.allowed || count === 0 || taken.waitMs === 0) return { taken, hasWaited: false };
    const look = () => this.store.take(name, windows, 0);
    return { taken: await room.wait({ request, owner, name, look }, taken), hasWaited: true };
  }

  refusalOf(taken: Taken): Error {
    return this.refusals.of('key', taken);
  }
}
