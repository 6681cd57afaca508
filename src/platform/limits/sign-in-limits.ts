import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LimitWindows } from './limit-windows.js';
import { Settings } from '../../config/settings.js';
import { clientOf } from '../../api/access/client-address.js';
import { Limiter } from './limiter.js';
import { LimitStore } from './store/limit-store.js';

/**
 * Maximum number of links sent to one e-mail, so that nobody can fill the mailbox of somebody else.
 */
const MAILS: LimitWindows = [
  { requests: 3, seconds: 3_600 },
  { requests: 10, seconds: 86_400 },
];

/** Identifies whose codes are tried: a user who has given a password. */
interface CodeOwner {
  readonly user_id: number;
  /**
   * Counted with the user, so that a new password also ends a lock: an attacker who used up the
   * attempts does not know the new password.
   */
  readonly password_id: string;
}

/**
 * Limits attempts with passwords, codes and links, against guessing, and sign-ins in total, since
 * each password check keeps a processor core busy. Call its methods before the attempt is checked,
 * so that concurrent attempts cannot bypass a limit. They throw ApiError too_many_requests.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly settings: Settings,
    private readonly limiter: Limiter,
    private readonly store: LimitStore,
  ) {}

  /**
   * Counts a sign-in attempt, for its address and its e-mail.
   * @param email normalised, as it is for the lookup of the user
   * @param browser identifies a browser in which somebody signed in with this e-mail before, or is
   *   null. Such a browser has attempts of its own, so that strangers who use up the attempts of
   *   the e-mail, or the total, cannot lock the user out
   */
  async take(request: Request, email: string, browser: string | null): Promise<void> {
    const name = `sign-in with ${hashOf(email)}`;
    await this.takeOf(request, `sign-in of ${clientOf(request)}`);
    await this.takeOf(request, browser === null ? name : `${name} in ${browser}`);
    if (browser !== null) return;
    // The total is counted last: an attempt rejected by its own limits does not count towards it.
    const { allSignIns } = this.settings.limits;
    await this.limiter.take('all_sign_ins', request, 'all sign-ins', allSignIns);
  }

  /**
   * Counts the password of a user who is signed in, for the user alone. Strangers cannot use up
   * these attempts, neither from other addresses nor by using up the total.
   */
  takeAgain(request: Request, user_id: number): Promise<void> {
    return this.takeOf(request, `password of user ${user_id}`);
  }

  /** Counts a new password that is set with a link of the user, for the user alone. */
  takeLinked(request: Request, user_id: number): Promise<void> {
    return this.takeOf(request, `new password of user ${user_id}`);
  }

  /**
   * Counts a code of two-factor sign-in, for its address and its user. Only callers who gave the
   * password get here, so nobody else can lock a user out.
   */
  async takeCode(request: Request, { user_id, password_id }: CodeOwner): Promise<void> {
    const { signIns, codes } = this.settings.limits;
    const name = `codes with ${hashOf(`${user_id} ${password_id}`)}`;
    await this.limiter.take('codes', request, `codes of ${clientOf(request)}`, signIns);
    await this.limiter.take('codes', request, name, codes);
  }

  /** Counts an attempt to open a link, for its address. */
  takeOpened(request: Request): Promise<void> {
    return this.takeOf(request, `password links of ${clientOf(request)}`);
  }

  /**
   * Counts a request for a link, for its address and for its e-mail.
   * @param email normalised; it is counted whether or not a user has it
   * @returns false if enough links were sent to this e-mail; the response does not show the
   *   difference
   */
  async takeForgotten(request: Request, email: string): Promise<boolean> {
    await this.takeOf(request, `forgotten passwords of ${clientOf(request)}`);
    const name = `links to ${hashOf(email)}`;
    return (await this.store.take({ name, windows: MAILS, count: 1, request })).allowed;
  }

  private async takeOf(request: Request, name: string): Promise<void> {
    await this.limiter.take('sign_ins', request, name, this.settings.limits.signIns);
  }
}

/** Returns a hash, so that the store gets no e-mails and no long names. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
