import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import cookieParser from 'cookie-parser';
import { doubleCsrf, type DoubleCsrfUtilities } from 'csrf-csrf';
import type { Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import { ApiError } from '../../common/errors/api-error.js';
import { dateTimeOf } from '../../common/time.js';
import { Settings } from '../../config/settings.js';
import { AccountsService } from '../../modules/accounts/accounts.service.js';
import type { SignedInUser, User } from '../../modules/accounts/account.model.js';
import { SessionsService } from '../../modules/accounts/sessions/sessions.service.js';
import { SessionStore } from './session-store.js';

declare module 'express-session' {
  interface SessionData {
    user_id?: number;
    /** Id of the password that was used to sign in. */
    password_id?: string;
    /** Date and time in UTC of the last password entry. */
    password_given?: string;
  }
}

export const CSRF_FIELD = 'csrf_token';
/** Both libraries set HttpOnly and the path `/` by default. */
const SAME_SITE = 'lax';
/** Sensitive actions within this time do not ask for the password again. */
export const FRESH_MINUTES = 10;

@Injectable()
export class BrowserSessions {
  readonly middleware: RequestHandler[];
  private readonly csrf: DoubleCsrfUtilities;
  /** If false, a cookie is marked Secure only if its request used HTTPS. */
  private readonly isHttps: boolean;

  constructor(
    settings: Settings,
    private readonly sessions: SessionsService,
    private readonly accounts: AccountsService,
  ) {
    const { requireHttps, tls } = settings.transport;
    this.isHttps = requireHttps || tls !== null;
    const { isHttps } = this;
    // Browsers accept this prefix only over HTTPS and from this exact host.
    const prefix = isHttps ? '__Host-' : '';
    this.middleware = [
      cookieParser(),
      onlyTextCookies,
      session({
        name: `${prefix}session`,
        secret: secretFor('sessions', settings),
        store: new SessionStore(sessions),
        cookie: { sameSite: SAME_SITE, secure: isHttps ? true : 'auto' },
        // Only signed-in users have a session.
        saveUninitialized: false,
        resave: false,
      }),
    ];
    this.csrf = doubleCsrf({
      getSecret: () => secretFor('forms', settings),
      // Before sign-in, only the cookie binds the form to the browser.
      getSessionIdentifier: ({ session: { user_id }, sessionID }) =>
        user_id === undefined ? '' : sessionID,
      getCsrfTokenFromRequest: ({ body }: Request) => tokenIn(body),
      cookieName: `${prefix}forms`,
      cookieOptions: { sameSite: SAME_SITE },
    });
  }

  /** The token that the forms of a page must send back. May set a cookie. */
  csrfToken(request: Request, response: Response): string {
    const secure = this.isHttps || request.secure;
    return this.csrf.generateCsrfToken(request, response, { cookieOptions: { secure } });
  }

  /** @throws ApiError forbidden for a form without a valid CSRF token */
  checkForm(request: Request): void {
    if (!this.csrf.validateRequest(request)) {
      throw new ApiError('forbidden', 'This form has expired. Reload the page and try again.');
    }
  }

  /** @returns null if nobody is signed in, or the user is no longer active */
  async userOf({ session: { user_id } }: Request): Promise<User | null> {
    const user = user_id === undefined ? null : await this.accounts.userById(user_id);
    return user?.status === 'active' ? user : null;
  }

  /** Starts a session with a new id, which prevents session fixation. */
  async signIn(request: Request, { id, password_id }: SignedInUser): Promise<void> {
    await done((next) => request.session.regenerate(next));
    const password_given = dateTimeOf(new Date());
    Object.assign(request.session, { user_id: id, password_id, password_given });
    await done((next) => request.session.save(next));
  }

  hasFreshPassword({ session: { password_given } }: Request): boolean {
    const earliest = dateTimeOf(new Date(Date.now() - FRESH_MINUTES * 60_000));
    return password_given !== undefined && password_given > earliest;
  }

  /** Records that the password was entered again, unless the session has ended meanwhile. */
  async notePassword({ session, sessionID }: Request): Promise<void> {
    const data = Object.assign({}, session, { password_given: dateTimeOf(new Date()) });
    await this.sessions.change(sessionID, JSON.stringify(data));
  }

  async signOut(request: Request): Promise<void> {
    await done((next) => request.session.destroy(next));
  }
}

/** cookie-parser declares `cookies` as any. */
type CookieRequest = Request & { readonly cookies: Readonly<Record<string, unknown>> };

/** cookie-parser parses `j:…` values as JSON, which the other libraries do not expect. */
const onlyTextCookies: RequestHandler = ({ cookies }: CookieRequest, _response, next) => {
  for (const [name, value] of Object.entries(cookies)) {
    if (typeof value !== 'string') Reflect.deleteProperty(cookies, name);
  }
  next();
};

function tokenIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !(CSRF_FIELD in body)) return null;
  const token = body[CSRF_FIELD];
  return typeof token === 'string' ? token : null;
}

/** Derived from KEY_ENCRYPTION_SECRET, so it is the same on all instances. */
function secretFor(use: string, { keyEncryptionSecret }: Settings): string {
  const bytes = hkdfSync('sha256', keyEncryptionSecret, '', `vendor-reporting-api ${use}`, 32);
  return Buffer.from(bytes).toString('base64url');
}

function done(begin: (next: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    begin((error) => {
      if (error === undefined || error === null) resolve();
      else reject(error instanceof Error ? error : new Error('the session was not saved'));
    });
  });
}
