import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import cookieParser from 'cookie-parser';
import { doubleCsrf, type DoubleCsrfUtilities } from 'csrf-csrf';
import type { Request, RequestHandler, Response } from 'express';
import session, { Store, type SessionData } from 'express-session';
import { addressOf, networkOf } from '../../../api/access/client-address.js';
import { ApiError } from '../../../api/errors/api-error.js';
import { Settings } from '../../../config/settings.js';
import { CSRF_FIELD, NOBODY, PageSessions, type Visitor } from '../../../platform/pages/visit.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import type { SignedInUser } from '../account.model.js';
import { hashOfSession, SessionsService } from '../sessions/sessions.service.js';
import {
  SignInNetworksService,
  type NoticeReader,
  type SignInPlace,
} from '../sessions/sign-in-networks.service.js';
import { TwoFactorService } from '../sessions/two-factor.service.js';
import {
  cookieName,
  type CookieRequest,
  isAlwaysHttps,
  SAME_SITE,
  secretFor,
} from './known-browsers.js';

/** Stands for a socket without an address, or a proxy that sends something else instead of one. */
const UNKNOWN = { network: 'unknown', address: 'an unknown address' };

/** Returns the address, network and browser of a request. */
function placeOf(request: Request): SignInPlace {
  const address = addressOf(request);
  const from = isIP(address) === 0 ? UNKNOWN : { network: networkOf(request), address };
  return { ...from, device: deviceOf(request.get('user-agent')) };
}

/** Maximum number of characters that are read. A browser sends about 200. */
const MAX_LENGTH = 500;

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/**
 * The order matters, because most browsers also claim to be others further down. The first group is
 * the version.
 */
const BROWSERS: Names = [
  [/\bEdg(?:e|A|iOS)?\/(\d{1,4})/, 'Edge'],
  [/\bOP(?:R|T)\/(\d{1,4})/, 'Opera'],
  [/\bSamsungBrowser\/(\d{1,4})/, 'Samsung Internet'],
  [/\bVivaldi\/(\d{1,4})/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d{1,4})/, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\/(\d{1,4})/, 'Chrome'],
  [/\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];

const SYSTEMS: Names = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Names a browser and its system, such as `Firefox 142 on Windows`. The result consists only of
 * words in this file and digits, whatever a client sends.
 */
function deviceOf(userAgent = ''): string {
  const text = userAgent.slice(0, MAX_LENGTH);
  const browser = nameIn(text, BROWSERS) ?? 'Unknown browser';
  const system = nameIn(text, SYSTEMS);
  return system === null ? browser : `${browser} on ${system}`;
}

function nameIn(text: string, names: Names): string | null {
  for (const [pattern, name] of names) {
    const found = pattern.exec(text);
    if (found !== null) return found[1] === undefined ? name : `${name} ${Number(found[1])}`;
  }
  return null;
}

declare module 'express-session' {
  interface SessionData {
    user_id?: number;
    /** Id of the password that was used to sign in. */
    password_id?: string;
    /** Date and time in UTC of the last password entry. */
    password_given?: string;
    /**
     * True if a code was entered, too; users with two-factor sign-in get no page without it. False
     * if a code was requested: the session then opens nothing, even if the user turns two-factor
     * sign-in off in the meantime.
     */
    code_given?: boolean;
    /** Encrypted secret of the two-factor sign-in that is being set up. */
    proposed_secret?: string;
    /** Address, network and browser with which the session began. */
    place?: SignInPlace;
    /** True if the user gets a notice of this sign-in. */
    is_news?: boolean;
    /** Encrypted form of an ended session, which is shown again. */
    typed_form?: string;
  }
}

/**
 * Sensitive actions within this many minutes after the password was entered do not request it
 * again.
 */
export const FRESH_MINUTES = 10;
/** Minutes between the password and the code of a sign-in. */
export const CODE_MINUTES = 5;

/** A signed-in browser of a user. */
export interface ListedSession {
  readonly session_hash: string;
  /** Browser in words; null for a session that began with a previous version. */
  readonly device: string | null;
  readonly address: string | null;
  readonly created: string;
  readonly last_used: string;
  /** True for the session of this request. */
  readonly isThis: boolean;
}

@Injectable()
export class BrowserSessions extends PageSessions {
  readonly middleware: RequestHandler[];
  private readonly csrf: DoubleCsrfUtilities;
  /** If false, a cookie is marked Secure only if its request used HTTPS. */
  private readonly isHttps: boolean;

  constructor(
    settings: Settings,
    private readonly sessions: SessionsService,
    private readonly twoFactor: TwoFactorService,
    private readonly networks: SignInNetworksService,
  ) {
    super();
    this.isHttps = isAlwaysHttps(settings);
    this.middleware = [
      cookieParser(),
      onlyTextCookies,
      session({
        name: cookieName('session', settings),
        secret: secretFor('sessions', settings),
        store: new SessionStore(sessions),
        cookie: { sameSite: SAME_SITE, secure: this.isHttps ? true : 'auto' },
        // Only signed-in users have a session.
        saveUninitialized: false,
        resave: false,
      }),
    ];
    this.csrf = doubleCsrf({
      getSecret: () => secretFor('forms', settings),
      // Only the cookie binds the form to the browser before sign-in.
      getSessionIdentifier: ({ session: { user_id }, sessionID }) =>
        user_id === undefined ? '' : sessionID,
      getCsrfTokenFromRequest: ({ body }: Request) => tokenIn(body),
      cookieName: cookieName('forms', settings),
      cookieOptions: { sameSite: SAME_SITE },
    });
  }

  csrfToken(request: Request, response: Response): string {
    const secure = this.isHttps || request.secure;
    return this.csrf.generateCsrfToken(request, response, { cookieOptions: { secure } });
  }

  checkForm(request: Request): void {
    if (!this.csrf.validateRequest(request)) {
      throw new ApiError('forbidden', 'This form has expired. Reload the page and try again.');
    }
  }

  async visitorOf(request: Request): Promise<Visitor> {
    const { user_id, code_given, password_given } = request.session;
    const found = user_id === undefined ? null : await this.sessions.userById(user_id);
    if (found === null) return NOBODY;
    const { user, hasTwoFactor, mustHaveTwoFactor, hasNotices } = found;
    // The code is checked with every page, so that no way to begin a session skips it.
    const lacksCode = hasTwoFactor ? code_given !== true : code_given === false;
    if (lacksCode) {
      const canGiveCode = hasTwoFactor && isWithin(CODE_MINUTES, password_given);
      return { ...NOBODY, step: canGiveCode ? 'code' : null };
    }
    if (mustHaveTwoFactor && !hasTwoFactor) return { user, step: 'set-up', notices: [] };
    const reader = hasNotices ? noticeReaderOf(request) : null;
    return {
      user,
      step: null,
      notices: reader === null ? [] : await this.networks.noticesFor(reader),
    };
  }

  /**
   * Returns the sessions of a request's user, without those that still require a code.
   * @param hasTwoFactor whether the user has two-factor sign-in
   */
  async listOf({ sessionID }: Request, user_id: number, hasTwoFactor: boolean) {
    const own = hashOfSession(sessionID);
    const found = await this.sessions.ofUser(user_id);
    return found
      .map(({ data, ...row }) => ({ ...contentOf(data), ...row }))
      .filter(({ code_given = !hasTwoFactor }) => code_given)
      .map(({ session_hash, created, last_used, place }) => ({
        session_hash,
        created,
        last_used,
        device: place?.device ?? null,
        address: place?.address ?? null,
        isThis: session_hash === own,
      }));
  }

  async isOpen({ session: { user_id }, sessionID }: Request): Promise<boolean> {
    if (user_id === undefined || (await this.sessions.dataOf(sessionID)) === null) return false;
    return (await this.sessions.userById(user_id)) !== null;
  }

  /**
   * Starts a session for a user who entered the right password. It opens no page until a code is
   * entered if the user has two-factor sign-in.
   * @param form the encrypted form of an ended session, which the new one keeps
   */
  async signIn(
    request: Request,
    { id, password_id }: SignedInUser,
    form: string | null = null,
  ): Promise<void> {
    const password_given = dateTimeOf(new Date());
    const content = {
      user_id: id,
      password_id,
      password_given,
      ...(form === null ? {} : { typed_form: form }),
    };
    if (await this.twoFactor.isOn(id)) {
      await replaceSession(request, { ...content, code_given: false });
    } else await this.begin(request, content);
  }

  /** Starts the session for which the code was entered. */
  async completeSignIn(request: Request): Promise<void> {
    const { user_id } = request.session;
    if (user_id === undefined) throw new Error('nobody is signing in');
    await this.begin(request, { ...contentOfSession(request), user_id, code_given: true });
  }

  /** Replaces this session with a new one, after the sessions of its user have ended. */
  async renew(request: Request, changes: Partial<SessionData>): Promise<void> {
    await replaceSession(request, { ...contentOfSession(request), ...changes });
  }

  hasFreshPassword({ session: { password_given } }: Request): boolean {
    return isWithin(FRESH_MINUTES, password_given);
  }

  /** Records that the password was entered again, unless the session has ended in the meantime. */
  async notePassword({ session, sessionID }: Request, beside: Proposal = {}): Promise<void> {
    const password_given = dateTimeOf(new Date());
    const data = Object.assign({}, session, { password_given, ...beside });
    await this.sessions.change(sessionID, JSON.stringify(data));
  }

  /** Returns the encrypted form that the session keeps; empty if there is none. */
  keptForm({ session: { typed_form } }: Request): string {
    return typed_form ?? '';
  }

  /** Keeps an encrypted form in the session, or none. The session is saved with the answer. */
  keepForm({ session }: Request, form: string | null): void {
    if (form === null) delete session.typed_form;
    else session.typed_form = form;
  }

  async signOut({ session }: Request): Promise<void> {
    await promisify(session.destroy.bind(session))();
  }

  private async begin(request: Request, content: BegunSession): Promise<void> {
    const place = placeOf(request);
    const is_news = await this.networks.note(content.user_id, place);
    await replaceSession(request, { ...content, place, is_news });
  }
}

/** The secret that a browser is setting up; no other browser can confirm it. */
type Proposal = Pick<SessionData, 'proposed_secret'>;
type BegunSession = Partial<SessionData> & { readonly user_id: number };

/** @returns null if nobody is signed in */
export function noticeReaderOf({ session }: Request): NoticeReader | null {
  const { user_id, place, is_news = false } = session;
  return user_id === undefined ? null : { user_id, network: place?.network, isNews: is_news };
}

/** Returns the content that a new session keeps. */
function contentOfSession({ session: { ...content } }: Request): Partial<SessionData> {
  const kept: Partial<SessionData> = content;
  delete kept.cookie;
  delete kept.proposed_secret;
  return kept;
}

/** Replaces the session by one with a new id, which prevents session fixation. */
async function replaceSession(request: Request, content: Partial<SessionData>): Promise<void> {
  await promisify(request.session.regenerate.bind(request.session))();
  Object.assign(request.session, content);
  await promisify(request.session.save.bind(request.session))();
}

function isWithin(minutes: number, dateTime: string | undefined): boolean {
  const earliest = dateTimeOf(new Date(Date.now() - minutes * 60_000));
  return dateTime !== undefined && dateTime > earliest;
}

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

/** Reads the content of a stored session. */
function contentOf(json: string): SessionData {
  return JSON.parse(json) as SessionData;
}

type Callback<Value> = (error: unknown, value?: Value) => void;

/** Stores sessions in the database, for all instances. */
class SessionStore extends Store {
  constructor(private readonly sessions: SessionsService) {
    super();
  }

  override get(id: string, callback: Callback<SessionData | null>): void {
    const found = this.sessions.dataOf(id).then((data) => (data === null ? null : contentOf(data)));
    passResult(found, callback);
  }

  override set(id: string, data: SessionData, callback?: Callback<void>): void {
    const { user_id, password_id = '' } = data;
    // Only sessions of signed-in users are stored.
    const saved =
      user_id === undefined
        ? Promise.resolve()
        : this.sessions.save(id, user_id, password_id, JSON.stringify(data));
    passResult(saved, callback);
  }

  override touch(id: string, _data: SessionData, callback?: Callback<void>): void {
    passResult(this.sessions.prolong(id), callback);
  }

  override destroy(id: string, callback?: Callback<void>): void {
    passResult(this.sessions.end(id), callback);
  }
}

function passResult<Value>(work: Promise<Value>, callback: Callback<Value> | undefined): void {
  work.then(
    (value) => callback?.(null, value),
    (error: unknown) => callback?.(error),
  );
}
