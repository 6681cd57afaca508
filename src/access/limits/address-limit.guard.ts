import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { FailedKeys } from './failed-keys.js';
import { LimitStore, type Taken } from './limit-store.js';
import { Refusals } from './refusals.js';

/** Holds every address to its limits before its key is looked at (decisions: Order of the checks). */
@Injectable()
export class AddressLimitGuard implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly failedKeys: FailedKeys,
    private readonly refusals: Refusals,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { address } = this.settings.limits;
    if (address.length === 0 && this.failedKeys.knowsNobody) return true;
    const client = clientOf(context.switchToHttp().getRequest<Request>());
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
