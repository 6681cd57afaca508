import { type SessionData, Store } from 'express-session';
import type { SessionsService } from '../../modules/accounts/sessions/sessions.service.js';
import type { SignInPlace } from '../../modules/accounts/sign-ins/sign-in-network.model.js';

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
  }
}

/** Reads the content of a stored session. */
export function contentOf(json: string): SessionData {
  return JSON.parse(json) as SessionData;
}

type Callback<Value> = (error: unknown, value?: Value) => void;

/** Stores sessions in the database, for all instances. */
export class SessionStore extends Store {
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
