import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
} from '@nestjs/throttler';
import type { Response } from 'express';
import { Settings } from '../../config/settings.js';
import { refusalOf } from '../account.guard.js';
import { principalOf } from '../current-principal.js';
import { LimitStore, type Taken } from './limit-store.js';
import { tellLimits } from './rate-limit-headers.js';
import { Refusals } from './refusals.js';

/**
 * Holds every API application to its allowance: one for all its keys, operations and versions. The
 * library's guard would have a bucket for each handler and window, and take from one window what
 * another refuses.
 */
@Injectable()
export class KeyLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly store: LimitStore,
    reflector: Reflector,
    private readonly settings: Settings,
    private readonly refusals: Refusals,
  ) {
    super(options, store, reflector);
  }

  /** The windows are not the library's to know, so it has nothing to prepare, and to warn of. */
  override onModuleInit(): Promise<void> {
    return Promise.resolve();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { application_id, limits } = principalOf(context);
    const windows = limits ?? this.settings.limits.key;
    if (windows.length === 0) return true;
    // Whoever is turned away in any case is told the allowance and uses none of it.
    const count = refusalOf(context) === null ? 1 : 0;
    const taken = this.store.take(`application ${application_id}`, windows, count);
    this.judge(context, taken instanceof Promise ? await taken : taken);
    return true;
  }

  private judge(context: ExecutionContext, taken: Taken): void {
    tellLimits(context.switchToHttp().getResponse<Response>(), taken);
    if (!taken.allowed) throw this.refusals.of('key', taken);
  }
}
