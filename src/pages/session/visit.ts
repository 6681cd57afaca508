import type { Request } from 'express';
import type { User } from '../../modules/accounts/account.model.js';
import type { PageAnswer } from '../http/page-answer.js';

/** One request for a page: who asks, and what was sent along. */
export class Visit {
  /**
   * @param csrfToken what each form must send back (browser-sessions.ts makes it)
   * @param user null where nobody is signed in
   */
  constructor(
    readonly request: Request,
    readonly csrfToken: string,
    readonly user: User | null,
  ) {}

  /** A field of the form that was sent; empty where it is missing or was sent twice. */
  field(name: string): string {
    return textIn(this.request.body, name);
  }

  /** A parameter of the query; empty where it is missing or was sent twice. */
  query(name: string): string {
    return textIn(this.request.query, name);
  }

  /** The number that the path names, or null where it names none. */
  idIn(name: string): number | null {
    const text = textIn(this.request.params, name);
    const id = Number(text);
    return /^\d+$/.test(text) && Number.isSafeInteger(id) ? id : null;
  }
}

/** A visit of somebody who is signed in. */
export interface SignedInVisit extends Visit {
  readonly user: User;
}

export function isSignedIn(visit: Visit): visit is SignedInVisit {
  return visit.user !== null;
}

/** What answers the visits of a path. */
export type Handler<Of extends Visit = Visit> = (visit: Of) => PageAnswer | Promise<PageAnswer>;

function textIn(fields: unknown, name: string): string {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return '';
  const value: unknown = Reflect.get(fields, name);
  return typeof value === 'string' ? value : '';
}
