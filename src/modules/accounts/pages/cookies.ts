import { hkdfSync } from 'node:crypto';
import type { Request } from 'express';
import type { Settings } from '../../../config/settings.js';

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
