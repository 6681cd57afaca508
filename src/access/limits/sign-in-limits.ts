import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from '../../common/limit-windows.js';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { LimitStore } from './store/limit-store.js';
import { RateLimitErrors } from './rate-limit-errors.js';

/**
 * Limits sign-in attempts per address and per e-mail, against the guessing of passwords, and in total,
 * since each password check takes a core for some 20 ms. Passwords of users who are signed in, or have a
 * link, are counted for the user alone. Call it before the password is checked, so that
 * concurrent attempts cannot bypass a limit.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly errors: RateLimitErrors,
  ) {}

  /**
   * @param email normalised, as it is for the lookup of the user
   * @param browser a browser in which somebody signed in with this e-mail before: it has attempts of its
   *   own, so that strangers who use up those of the e-mail, or all, lock out nobody for ever
   * @throws ApiError too_many_requests
   */
  async take(request: Request, email: string, browser: string | null): Promise<void> {
    // Hashed, so that the store gets no e-mails and no long names.
    const hash = createHash('sha256').update(email).digest('base64url');
    const name = `sign-in with ${hash}`;
    await this.takeOwn(request, browser === null ? name : `${name} in ${browser}`);
    // The total comes last: an attempt rejected by its own limits does not count for it.
    const { allSignIns } = this.settings.limits;
    if (browser === null) await this.takeOf(request, 'all_sign_ins', 'all sign-ins', allSignIns);
  }

  /**
   * For the password of a user who is signed in. It is counted for the user alone: strangers cannot use up
   * these attempts, from whatever addresses, and not by using up the total.
   * @throws ApiError too_many_requests
   */
  takeAgain(request: Request, user_id: number): Promise<void> {
    return this.takeOf(request, 'sign_ins', `password of user ${user_id}`, this.signIns);
  }

  /** Counts a new password that is set with a link of the user. @throws ApiError too_many_requests */
  takeLinked(request: Request, user_id: number): Promise<void> {
    return this.takeOf(request, 'sign_ins', `new password of user ${user_id}`, this.signIns);
  }

  private get signIns(): LimitWindows {
    return this.settings.limits.signIns;
  }

  private async takeOwn(request: Request, name: string): Promise<void> {
    await this.takeOf(request, 'sign_ins', `sign-in of ${clientOf(request)}`, this.signIns);
    await this.takeOf(request, 'sign_ins', name, this.signIns);
  }

  private async takeOf(
    request: Request,
    kind: 'sign_ins' | 'all_sign_ins',
    name: string,
    windows: LimitWindows,
  ): Promise<void> {
    if (windows.length === 0) return;
    const result = await this.store.take(name, windows, 1, { request });
    if (!result.allowed) throw this.errors.of(kind, result);
  }
}
