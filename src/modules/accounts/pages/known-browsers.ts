import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DAY_MS } from '../../../platform/values/time.js';
import { Settings } from '../../../config/settings.js';
import { cookieName, isAlwaysHttps, SAME_SITE, secretFor, type CookieRequest } from './cookies.js';

const REMEMBERED_MS = 90 * DAY_MS;
const ID_BYTES = 16;

/**
 * Recognises browsers in which a user has signed in. Strangers can use up the sign-in attempts for
 * an e-mail address, but not those in known browsers. The cookie grants no access and contains no
 * e-mail address; nothing is stored on the server.
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
   * Returns the id of this browser if its cookie was set for the e-mail address.
   * @param email normalised
   * @returns null if nobody has signed in with this e-mail address in this browser
   */
  idOf({ cookies }: CookieRequest, email: string): string | null {
    const { [this.name]: value } = cookies;
    const [id = '', mac = ''] = typeof value === 'string' ? value.split('.') : [];
    const [given, right] = [Buffer.from(mac), Buffer.from(this.macOf(id, email))];
    return given.length === right.length && timingSafeEqual(given, right) ? id : null;
  }

  /**
   * Remembers that the password of an e-mail address was entered in this browser, or set with a
   * link.
   * @param email normalised
   */
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
