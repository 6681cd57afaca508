import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from '../../common/limit-windows.js';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { LimitStore } from './store/limit-store.js';
import { RateLimitErrors } from './rate-limit-errors.js';

/** Identifies whose codes are tried: a user who has given a password. */
export interface CodeOwner {
  readonly user_id: number;
  /**
   * Counted with the user, so that a new password also ends a lock: an attacker who used up the
   * attempts does not know the new password.
   */
  readonly password_id: string;
}

/** Limits the codes of two-factor sign-in that are tried per user and per address. */
@Injectable()
export class CodeLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly errors: RateLimitErrors,
  ) {}

  /**
   * Counts an attempt. Call it before the code is checked, so that concurrent attempts cannot
   * bypass the limit. Only callers who gave the password get here, so nobody else can lock a user
   * out.
   * @throws ApiError too_many_requests
   */
  async take(request: Request, { user_id, password_id }: CodeOwner): Promise<void> {
    const { signIns, codes } = this.settings.limits;
    const hash = createHash('sha256').update(`${user_id} ${password_id}`).digest('base64url');
    await this.takeOf(request, `codes of ${clientOf(request)}`, signIns);
    await this.takeOf(request, `codes with ${hash}`, codes);
  }

  private async takeOf(request: Request, name: string, windows: LimitWindows): Promise<void> {
    if (windows.length === 0) return;
    const result = await this.store.take(name, windows, 1, { request });
    if (!result.allowed) throw this.errors.of('codes', result);
  }
}
