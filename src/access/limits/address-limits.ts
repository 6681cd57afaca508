import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { FailedKeys } from './failed-keys.js';
import { LimitStore, type Taken } from './limit-store.js';
import { Refusals } from './refusals.js';

/** Holds every address to its limits, whatever it asks for. */
@Injectable()
export class AddressLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly failedKeys: FailedKeys,
    private readonly refusals: Refusals,
  ) {}

  /** Counts a request. @throws ApiError too_many_requests where the address is over a limit */
  take(request: Request): true | Promise<true> {
    const { address } = this.settings.limits;
    if (address.length === 0 && this.failedKeys.knowsNobody) return true;
    const client = clientOf(request);
    this.failedKeys.checkKnown(client);
    if (address.length === 0) return true;
    const taken = this.store.take(`address ${client}`, address, 1);
    return taken instanceof Promise ? taken.then((late) => this.judge(late)) : this.judge(taken);
  }

  private judge(taken: Taken): true {
    if (!taken.allowed) throw this.refusals.of('address', taken);
    return true;
  }
}
