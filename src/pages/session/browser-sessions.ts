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
    /** Of the password that was given at the sign-in. */
    password_id?: string;
    /** When the password was given last: a moment in UTC. */
    password_given?: string;
  }
}

export const CSRF_FIELD = 'csrf_token';
/** Both libraries keep a cookie from scripts, and send it with every path. */
const SAME_SITE = 'lax';
/** For how long a password need not be given again. */
export const FRESH_MINUTES = 10;

/** Who is signed in with which browser, and whether a form came from a page of ours. */
@Injectable()
export class BrowserSessions {
  readonly middleware: RequestHandler[];
  private readonly csrf: DoubleCsrfUtilities;
  /** Without it a cookie is for HTTPS where the request came by it. */
  private readonly isHttps: boolean;

  constructor(
    settings: Settings,
    private readonly sessions: SessionsService,
    private readonly accounts: AccountsService,
  ) {
    const { requireHttps, tls } = settings.transport;
    this.isHttps = requireHttps || tls !== null;
    const { isHttps } = this;
    // Browsers take a cookie of such a name only over HTTPS and from this very host.
    const prefix = isHttps ? '__Host-' : '';
    this.middleware = [
      cookieParser(),
      onlyTextCookies,
      session({
        name: `${prefix}session`,
        secret: secretFor('sessions', settings),
        store: new SessionStore(sessions),
        cookie: { sameSite: SAME_SITE, secure: isHttps ? true : 'auto' },
        // Nobody has a session who is not signed in.
        saveUninitialized: false,
        resave: false,
      }),
    ];
    this.csrf = doubleCsrf({
      getSecret: () => secretFor('forms', settings),
      // Before the sign-in, the cookie alone binds the form to the browser.
      getSessionIdentifier: ({ session: { user_id }, sessionID }) =>
        user_id === undefined ? '' : sessionID,
      getCsrfTokenFromRequest: ({ body }: Request) => tokenIn(body),
      cookieName: `${prefix}forms`,
      cookieOptions: { sameSite: SAME_SITE },
    });
  }

  /** What the forms of an answer must send back. It may set a cookie. */
  csrfToken(request: Request, response: Response): string {
    const secure = this.isHttps || request.secure;
    return this.csrf.generateCsrfToken(request, response, { cookieOptions: { secure } });
  }

  /** @throws ApiError forbidden for a form that is not from a page that this browser was sent */
  checkForm(request: Request): void {
    if (!this.csrf.validateRequest(request)) {
      throw new ApiError(
        'forbidden',
        'This form is too old. Load its page again and try once more.',
      );
    }
  }

  /** @returns null where nobody is signed in, or the user may not be any more */
  async userOf({ session: { user_id } }: Request): Promise<User | null> {
    const user = user_id === undefined ? null : await this.accounts.userById(user_id);
    return user?.status === 'active' ? user : null;
  }

  /** Begins a session under a new name: one that was known before the sign-in is worth nothing. */
  async signIn(request: Request, { id, password_id }: SignedInUser): Promise<void> {
    await done((next) => request.session.regenerate(next));
    const password_given = dateTimeOf(new Date());
    Object.assign(request.session, { user_id: id, password_id, password_given });
    await done((next) => request.session.save(next));
  }

  /** True where the password was given a short while ago. */
  hasFreshPassword({ session: { password_given } }: Request): boolean {
    const earliest = dateTimeOf(new Date(Date.now() - FRESH_MINUTES * 60_000));
    return password_given !== undefined && password_given > earliest;
  }

  /** Notes that the password was given again, unless the session has ended meanwhile. */
  async notePassword({ session, sessionID }: Request): Promise<void> {
    const data = Object.assign({}, session, { password_given: dateTimeOf(new Date()) });
    await this.sessions.change(sessionID, JSON.stringify(data));
  }

  async signOut(request: Request): Promise<void> {
    await done((next) => request.session.destroy(next));
  }
}

/** As the parser leaves it, which declares its cookies as any. */
type CookieRequest = Request & { readonly cookies: Readonly<Record<string, unknown>> };

/** The parser makes values of `j:…` of any kind, of which the libraries behind it can read none. */
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

/** All instances have the same, since they have the same KEY_ENCRYPTION_SECRET. */
function secretFor(use: string, { keyEncryptionSecret }: Settings): string {
  const bytes = hkdfSync('sha256', keyEncryptionSecret, '', `vendor-reporting-api ${use}`, 32);
  return Buffer.from(bytes).toString('base64url');
}

function done(begin: (next: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    begin((error) => {
      if (error === undefined || error === null) resolve();
      else reject(error instanceof Error ? error : new Error('the session was not kept'));
    });
  });
}
