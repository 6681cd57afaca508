import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../../config/settings.js';
import { DAY_MS } from '../../../platform/values/time.js';

/** A request whose `cookies` are unknown, because cookie-parser declares them as any. */
export type CookieRequest = Request & { readonly cookies: Readonly<Record<string, unknown>> };

/** Value of SameSite for all cookies. Both libraries set HttpOnly and the path `/` by default. */
export const SAME_SITE = 'lax';

/** If false, a cookie is marked Secure only if its request used HTTPS. */
export function isAlwaysHttps({ transport: { requireHttps, tls } }: Settings): boolean {
  return requireHttps || tls !== null;
}

/**
 * Returns the cookie name with the prefix `__Host-` if HTTPS is always used. Browsers accept the
 * prefix only over HTTPS and from this exact host.
 */
export function cookieName(name: string, settings: Settings): string {
  return isAlwaysHttps(settings) ? `__Host-${name}` : name;
}

/** Derives a secret from KEY_ENCRYPTION_SECRET, so it is the same on all instances. */
export function secretFor(use: string, { keyEncryptionSecret }: Settings): string {
  const bytes = hkdfSync('sha256', keyEncryptionSecret, '', `vendor-reporting-api ${use}`, 32);
  return Buffer.from(bytes).toString('base64url');
}

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
