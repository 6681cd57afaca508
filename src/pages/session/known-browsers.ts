import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DAY_MS } from '../../common/time.js';
import { Settings } from '../../config/settings.js';
import { cookieName, isAlwaysHttps, SAME_SITE, secretFor, type CookieRequest } from './cookies.js';

const REMEMBERED_MS = 90 * DAY_MS;
const ID_BYTES = 16;

/**
 * Browsers in which a user has signed in. Strangers can use up the sign-ins with an e-mail, but not those
 * in its browsers. The cookie opens nothing and has no e-mail; nothing is stored here.
 */
@Injectable()
export class KnownBrowsers {
  private readonly name: string;
  private readonly secret: string;
  private readonly isHttps: boolean;

  constructor(settings: Settings) {
    this.name = cookieName('known', settings);
    this.secret = secretFor('known browsers', settings);
    this.isHttps = isAlwaysHttps(settings);
  }

  /**
   * @param email normalised
   * @returns null if nobody has signed in with this e-mail in this browser
   */
  idOf({ cookies }: CookieRequest, email: string): string | null {
    const { [this.name]: value } = cookies;
    const [id = '', mac = ''] = typeof value === 'string' ? value.split('.') : [];
    const [given, right] = [Buffer.from(mac), Buffer.from(this.macOf(id, email))];
    return given.length === right.length && timingSafeEqual(given, right) ? id : null;
  }

  /** @param email normalised: somebody gave its password in this browser, or set it with a link */
  remember(request: Request, email: string): void {
    const id = this.idOf(request, email) ?? randomBytes(ID_BYTES).toString('base64url');
    request.res?.cookie(this.name, `${id}.${this.macOf(id, email)}`, {
      httpOnly: true,
      sameSite: SAME_SITE,
      secure: this.isHttps || request.secure,
      maxAge: REMEMBERED_MS,
    });
  }

  private macOf(id: string, email: string): string {
    return createHmac('sha256', this.secret).update(`${id} ${email}`).digest('base64url');
  }
}
