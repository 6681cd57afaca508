import type { Request, RequestHandler, Response } from 'express';
import { NO_APPLICATION } from '../values/author.js';

export const CSRF_FIELD = 'csrf_token';

/** A sign-in from a network that is new for the user. */
export interface SignInNotice {
  readonly address: string;
  /** Browser and system, in words. */
  readonly device: string;
  /** Time of the first sign-in from the network, in UTC. */
  readonly noticed: string;
}

/** The user whose session a browser has. */
export interface SignedInUser {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** The user at a browser, and the step that is required before pages open. */
export interface Visitor {
  /** Null if nobody is signed in, or a code is still required. */
  readonly user: SignedInUser | null;
  /**
   * Required step: the user must enter the code of two-factor sign-in, or set up two-factor
   * sign-in.
   */
  readonly step: 'code' | 'set-up' | null;
  /** Sign-ins from new networks that the user has not dismissed. */
  readonly notices: readonly SignInNotice[];
}

export const NOBODY: Visitor = { user: null, step: null, notices: [] };

/** The sessions of signed-in users. A feature provides it. */
export abstract class PageSessions {
  /** Load the session of a request. */
  abstract readonly middleware: RequestHandler[];

  abstract visitorOf(request: Request): Promise<Visitor>;

  /** Returns the token that the forms of a page must send back. May set a cookie. */
  abstract csrfToken(request: Request, response: Response): string;

  /** @throws ApiError forbidden for a form without a valid CSRF token */
  abstract checkForm(request: Request): void;

  /** Returns whether the session of a long request still exists and its user is still active. */
  abstract isOpen(request: Request): Promise<boolean>;
}

/** A form whose session had ended, with what the user typed into it. */
export interface TypedForm {
  readonly user_id: number;
  /** Address of the page that has the form. */
  readonly page: string;
  /** Address to which the form is sent. */
  readonly action: string;
  /** Values by field, without passwords, codes and keys; empty if they are too long. */
  readonly fields: Readonly<Record<string, string>>;
}

/** An id that nothing has. */
export const NO_ID = -1;

/** A page request with its user and CSRF token. */
export class Visit {
  /** Null if nobody is signed in. */
  readonly user: SignedInUser | null;
  /** @internal */
  readonly step: Visitor['step'];
  /** @internal */
  readonly notices: Visitor['notices'];
  /**
   * Form of this page with what the user typed before the session ended; null if there is none.
   * @internal
   */
  typed: TypedForm | null = null;
  private readonly tokens = new Map<string, string>();

  /**
   * Creates the visit of a request.
   * @param makeToken returns a CSRF token of the request's session
   * @internal
   */
  constructor(
    /** @internal */
    readonly request: Request,
    private readonly makeToken: () => string,
    { user, step, notices }: Visitor,
  ) {
    this.user = user;
    this.step = step;
    this.notices = notices;
  }

  /**
   * Token that each form must send back. A new one is made if the handler has begun another
   * session.
   * @internal
   */
  get csrfToken(): string {
    const { sessionID } = this.request;
    const token = this.tokens.get(sessionID) ?? this.makeToken();
    this.tokens.set(sessionID, token);
    return token;
  }

  /** Returns a field of the form; empty if it is missing or repeated. */
  field(name: string): string {
    return textIn(this.request.body, name);
  }

  /** Fields of the form by name; a repeated field is empty. */
  get fields(): ReadonlyMap<string, string> {
    const body: unknown = this.request.body;
    if (typeof body !== 'object' || body === null) return new Map();
    return new Map(Object.keys(body).map((name) => [name, textIn(body, name)]));
  }

  /** Returns a query parameter; empty if it is missing or repeated. */
  query(name: string): string {
    return textIn(this.request.query, name);
  }

  /** Returns a path parameter; empty if it is missing. */
  textInPath(name: string): string {
    return textIn(this.request.params, name);
  }

  /** Returns the id in the path, or NO_ID if it is not a number. */
  get id(): number {
    const text = this.textInPath('id');
    const id = Number(text);
    return /^\d+$/.test(text) && Number.isSafeInteger(id) ? id : NO_ID;
  }
}

/** A page request of a signed-in user. */
export interface SignedInVisit extends Visit {
  readonly user: SignedInUser;
}

export function isSignedIn(visit: Visit): visit is SignedInVisit {
  return visit.user !== null;
}

/** Returns the author of a change on a page, for the audit log. */
export function authorOf({ user }: SignedInVisit) {
  return { user_id: user.id, application_id: NO_APPLICATION };
}

function textIn(fields: unknown, name: string): string {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return '';
  const value: unknown = Reflect.get(fields, name);
  return typeof value === 'string' ? value : '';
}

/** Returns the allowed value with this text, or null if there is none. */
export function oneOf<const Allowed extends string>(
  allowed: readonly Allowed[],
  text: string,
): Allowed | null {
  return allowed.find((candidate) => candidate === text) ?? null;
}
