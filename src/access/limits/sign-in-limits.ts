import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { LimitStore } from './store/limit-store.js';
import { Refusals } from './refusals.js';

/** Holds down how fast passwords can be guessed, from one address and for one e-mail. */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly refusals: Refusals,
  ) {}

  /**
   * Counts a try before its password is looked at, so that many at once are no way around.
   * @param email as the user is found by it: each way to write it counts alike
   * @throws ApiError too_many_requests
   */
  async take(request: Request, email: string): Promise<void> {
    const { signIns } = this.settings.limits;
    if (signIns.length === 0) return;
    // No store need know an e-mail, and a long one takes no more room.
    const hash = createHash('sha256').update(email).digest('base64url');
    for (const name of [`sign-in of ${clientOf(request)}`, `sign-in with ${hash}`]) {
      const taken = await this.store.take(name, signIns, 1, { request });
      if (!taken.allowed) throw this.refusals.of('sign_ins', taken);
    }
  }
}
