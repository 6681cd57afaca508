import type { Request } from 'express';
import type { User } from '../../modules/accounts/account.model.js';
import type { PageAnswer } from '../http/page-answer.js';

/** A page request with its user and CSRF token. */
export class Visit {
  /**
   * @param csrfToken must be sent back by each form
   * @param user null if nobody is signed in
   */
  constructor(
    readonly request: Request,
    readonly csrfToken: string,
    readonly user: User | null,
  ) {}

  /** A field of the form; empty if it is missing or repeated. */
  field(name: string): string {
    return textIn(this.request.body, name);
  }

  /** A query parameter; empty if it is missing or repeated. */
  query(name: string): string {
    return textIn(this.request.query, name);
  }

  /** A path parameter; empty if it is missing. */
  textInPath(name: string): string {
    return textIn(this.request.params, name);
  }

  /** A numeric path parameter, or null if it is not a number. */
  idIn(name: string): number | null {
    const text = this.textInPath(name);
    const id = Number(text);
    return /^\d+$/.test(text) && Number.isSafeInteger(id) ? id : null;
  }
}

export interface SignedInVisit extends Visit {
  readonly user: User;
}

export function isSignedIn(visit: Visit): visit is SignedInVisit {
  return visit.user !== null;
}

export type Handler<Of extends Visit = Visit> = (visit: Of) => PageAnswer | Promise<PageAnswer>;

function textIn(fields: unknown, name: string): string {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return '';
  const value: unknown = Reflect.get(fields, name);
  return typeof value === 'string' ? value : '';
}
