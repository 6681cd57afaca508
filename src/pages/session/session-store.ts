import { Store, type SessionData } from 'express-session';
import { contentOf } from './session-content.js';
import type { SessionsService } from '../../modules/accounts/sessions/sessions.service.js';

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
