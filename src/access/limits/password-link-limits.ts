import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from '../../common/limit-windows.js';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../client-address.js';
import { RateLimitErrors } from './rate-limit-errors.js';
import { SignInLimits } from './sign-in-limits.js';
import { LimitStore } from './store/limit-store.js';

/**
 * Maximum number of links sent to one e-mail, so that nobody can fill the mailbox of somebody else.
 */
const MAILS: LimitWindows = [
  { requests: 3, seconds: 3_600 },
  { requests: 10, seconds: 86_400 },
];

/** Limits how often an address can request links that set a password, and try such links. */
@Injectable()
export class PasswordLinkLimits {
  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly errors: RateLimitErrors,
    private readonly signIns: SignInLimits,
  ) {}

  /**
   * Counts an attempt to open a link. Call it before the link is looked up.
   * @throws ApiError too_many_requests
   */
  takeOpened(request: Request): Promise<void> {
    return this.takeOf(request, `password links of ${clientOf(request)}`);
  }

  /**
   * Counts a new password of a link's user. Call it before the password is hashed.
   * @throws ApiError too_many_requests
   */
  takeHash(request: Request, user_id: number): Promise<void> {
    return this.signIns.takeLinked(request, user_id);
  }

  /**
   * Counts a request for a link, for its address and for its e-mail.
   * @param email normalised; it is counted whether or not a user has it
   * @returns false if enough links were sent to this e-mail; the response does not show the
   *   difference
   * @throws ApiError too_many_requests
   */
  async takeForgotten(request: Request, email: string): Promise<boolean> {
    await this.takeOf(request, `forgotten passwords of ${clientOf(request)}`);
    const hash = createHash('sha256').update(email).digest('base64url');
    return (await this.store.take(`links to ${hash}`, MAILS, 1, { request })).allowed;
  }

  private async takeOf(request: Request, name: string): Promise<void> {
    const { signIns } = this.settings.limits;
    if (signIns.length === 0) return;
    const result = await this.store.take(name, signIns, 1, { request });
    if (!result.allowed) throw this.errors.of('sign_ins', result);
  }
}
