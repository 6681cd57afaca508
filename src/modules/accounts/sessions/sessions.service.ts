import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DAY_MS, dateTimeIn, dateTimeOf, formatDateTime } from '../../../platform/values/time.js';
import { SessionsRepository, type PageUser } from './sessions.repository.js';

/** A session ends after two hours without a request, and after a day in any case. */
export const IDLE_MS = 2 * 3_600_000;
const MAX_AGE_MS = DAY_MS;
/** The expiry time of a session has this precision, so most requests need no write. */
const PROLONGED_EVERY_MS = 60_000;

const MAX_ENDS = 10_000;
const MAX_LISTED = 100;

/**
 * Manages signed-in browsers. They are stored in the database, so every instance knows them, also
 * after a restart.
 */
@Injectable()
export class SessionsService {
  /**
   * Expiry times of the sessions that were read, so that only a request that prolongs its session
   * writes.
   */
  private readonly ends = new LRUCache<string, string>({ max: MAX_ENDS });

  constructor(private readonly repository: SessionsRepository) {}

  /**
   * Returns the content of an open session.
   * @param id the secret in the browser's cookie; only its hash is stored
   * @returns the JSON saved last, or null if the session has ended
   */
  async dataOf(id: string): Promise<string | null> {
    const found = await this.repository.find(hashOfSession(id), ...this.openNow());
    if (found !== null) this.ends.set(found.session_hash, found.expires);
    return found?.data ?? null;
  }

  /**
   * Returns the open sessions of a user, with the last used first. `last_used` is accurate to about
   * a minute. The hash identifies a session, and cannot be used to sign in.
   */
  async ofUser(user_id: number) {
    const rows = await this.repository.ofUser(user_id, ...this.openNow(), MAX_LISTED);
    return rows.map(({ session_hash, data, created, expires }) => {
      const lastUsed = new Date(Date.parse(formatDateTime(expires)) - IDLE_MS);
      return { session_hash, data, created, last_used: dateTimeOf(lastUsed) };
    });
  }

  /**
   * Returns the user of a browser session.
   * @returns null if there is no such user, or the user is no longer active
   */
  async userById(user_id: number): Promise<PageUser | null> {
    const found = await this.repository.pageUserById(user_id);
    return found?.user.status === 'active' ? found : null;
  }

  /** @param password_id id of the password used, from SignInService.userWith */
  async save(id: string, user_id: number, password_id: string, data: string): Promise<void> {
    const [created, expires] = [dateTimeIn(0), dateTimeIn(IDLE_MS)];
    await this.repository.removeExpired(created);
    await this.repository.save({
      session_hash: hashOfSession(id),
      user_id,
      password_id,
      data,
      created,
      expires,
    });
  }

  /** Changes the content of a session, if it still exists. */
  change(id: string, data: string): Promise<void> {
    return this.repository.change(hashOfSession(id), data);
  }

  async prolong(id: string): Promise<void> {
    const end = Date.now() + IDLE_MS;
    const unlessAfter = dateTimeOf(new Date(end - PROLONGED_EVERY_MS));
    const session_hash = hashOfSession(id);
    if ((this.ends.get(session_hash) ?? '') >= unlessAfter) return;
    await this.repository.prolong(session_hash, dateTimeOf(new Date(end)), unlessAfter);
  }

  end(id: string): Promise<void> {
    return this.repository.end(hashOfSession(id));
  }

  /** Ends a session of a user by its hash. */
  endOneOf(user_id: number, session_hash: string): Promise<void> {
    return this.repository.endOneOf(user_id, session_hash);
  }

  /** Returns the current time and the earliest start of a session that is still open. */
  private openNow(): [now: string, begunAfter: string] {
    return [dateTimeIn(0), dateTimeIn(-MAX_AGE_MS)];
  }
}

/**
 * Returns the stored form of a session's secret. A fast hash is enough, because the secret is as
 * random as the hash is long.
 */
export function hashOfSession(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
