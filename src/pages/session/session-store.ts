import session, { Store } from 'express-session';
import type { SessionsService } from '../../modules/accounts/sessions/sessions.service.js';

/** How express-session is told; the second value is for `get`. */
type Callback<Value> = (error: unknown, value?: Value) => void;

/** Lets express-session keep its sessions where all instances find them. */
export class SessionStore extends Store {
  constructor(private readonly sessions: SessionsService) {
    super();
  }

  override get(id: string, callback: Callback<session.SessionData | null>): void {
    const found = this.sessions
      .dataOf(id)
      .then((data) => (data === null ? null : (JSON.parse(data) as session.SessionData)));
    tell(found, callback);
  }

  override set(id: string, data: session.SessionData, callback?: Callback<void>): void {
    const { user_id, password_id = '' } = data;
    // Nobody is kept who is not signed in.
    const kept =
      user_id === undefined
        ? Promise.resolve()
        : this.sessions.save(id, user_id, password_id, JSON.stringify(data));
    tell(kept, callback);
  }

  override touch(id: string, _data: session.SessionData, callback?: Callback<void>): void {
    tell(this.sessions.prolong(id), callback);
  }

  override destroy(id: string, callback?: Callback<void>): void {
    tell(this.sessions.end(id), callback);
  }
}

function tell<Value>(work: Promise<Value>, callback: Callback<Value> | undefined): void {
  work.then(
    (value) => callback?.(null, value),
    (error: unknown) => callback?.(error),
  );
}
