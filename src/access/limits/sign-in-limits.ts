import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from '../../common/limit-windows.js';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { LimitStore } from './store/limit-store.js';
import { RateLimitErrors } from './rate-limit-errors.js';

/**
 * Holds down how fast passwords can be guessed, from one address and for one e-mail, and how many are
 * looked at for all together: each takes a core for some 20 ms.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly refusals: RateLimitErrors,
  ) {}

  /**
   * Counts a try before its password is looked at, so that many at once are no way around.
   * @param email as the user is found by it: each way to write it counts alike
   * @throws ApiError too_many_requests
   */
  async take(request: Request, email: string): Promise<void> {
    const { signIns, allSignIns } = this.settings.limits;
    // No store need know an e-mail, and a long one takes no more room.
    const hash = createHash('sha256').update(email).digest('base64url');
    // Whoever is refused for one's own tries takes nothing from the others.
    await this.takeOf(request, 'sign_ins', `sign-in of ${clientOf(request)}`, signIns);
    await this.takeOf(request, 'sign_ins', `sign-in with ${hash}`, signIns);
    await this.takeOf(request, 'all_sign_ins', 'all sign-ins', allSignIns);
  }

  private async takeOf(
    request: Request,
    kind: 'sign_ins' | 'all_sign_ins',
    name: string,
    windows: LimitWindows,
  ): Promise<void> {
    if (windows.length === 0) return;
    const taken = await this.store.take(name, windows, 1, { request });
    if (!taken.allowed) throw this.refusals.of(kind, taken);
  }
}
