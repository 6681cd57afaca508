import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from '../../common/limit-windows.js';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { LimitStore } from './store/limit-store.js';
import { RateLimitErrors } from './rate-limit-errors.js';

/**
 * Limits sign-in attempts per address and per e-mail, against the guessing of passwords, and in
 * total, since each password check keeps a processor core busy. Passwords of users who are signed
 * in, or have a link, are counted for the user alone. Call it before the password is checked, so
 * that concurrent attempts cannot bypass a limit.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly errors: RateLimitErrors,
  ) {}

  /**
   * Counts a sign-in attempt.
   * @param email normalised, as it is for the lookup of the user
   * @param browser identifies a browser in which somebody signed in with this e-mail before, or is
   *   null. Such a browser has attempts of its own, so that strangers who use up the attempts of
   *   the e-mail, or the total, cannot lock the user out
   * @throws ApiError too_many_requests
   */
  async take(request: Request, email: string, browser: string | null): Promise<void> {
    // The e-mail is hashed, so that the store gets no e-mails and no long names.
    const hash = createHash('sha256').update(email).digest('base64url');
    const name = `sign-in with ${hash}`;
    await this.takeOwn(request, browser === null ? name : `${name} in ${browser}`);
    // The total is counted last: an attempt rejected by its own limits does not count towards it.
    const { allSignIns } = this.settings.limits;
    if (browser === null) await this.takeOf(request, 'all_sign_ins', 'all sign-ins', allSignIns);
  }

  /**
   * Counts the password of a user who is signed in, for the user alone. Strangers cannot use up
   * these attempts, neither from other addresses nor by using up the total.
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
