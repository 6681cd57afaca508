import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DAY_MS, dateTimeOf } from '../../../common/time.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session ends after two hours without a request, and after a day in any case. */
export const IDLE_MS = 2 * 3_600_000;
const LONGEST_MS = DAY_MS;
/** How exactly the end of an idle session is kept: it spares a write with most requests. */
const PROLONGED_EVERY_MS = 60_000;

/** The signed-in browsers, in the database: they hold on every instance, and over a restart. */
@Injectable()
export class SessionsService {
  constructor(private readonly repository: SessionsRepository) {}

  /**
   * @param id the secret that the browser's cookie names; only its hash is kept
   * @returns the JSON that was saved last, or null where there is no such session any more
   */
  dataOf(id: string): Promise<string | null> {
    const now = Date.now();
    const begunAfter = dateTimeOf(new Date(now - LONGEST_MS));
    return this.repository.dataOf(hashOf(id), dateTimeOf(new Date(now)), begunAfter);
  }

  /** @param password_id of the password that the session began with, see SignInService.userWith */
  async save(id: string, user_id: number, password_id: string, data: string): Promise<void> {
    const now = Date.now();
    await this.repository.removeExpired(dateTimeOf(new Date(now)));
    await this.repository.save({
      ...{ session_hash: hashOf(id), user_id, password_id, data },
      ...{ created: dateTimeOf(new Date(now)), expires: dateTimeOf(new Date(now + IDLE_MS)) },
    });
  }

  /** Changes what a session holds, if there is still such a session. */
  change(id: string, data: string): Promise<void> {
    return this.repository.change(hashOf(id), data);
  }

  async prolong(id: string): Promise<void> {
    const end = Date.now() + IDLE_MS;
    const unlessAfter = dateTimeOf(new Date(end - PROLONGED_EVERY_MS));
    await this.repository.prolong(hashOf(id), dateTimeOf(new Date(end)), unlessAfter);
  }

  end(id: string): Promise<void> {
    return this.repository.end(hashOf(id));
  }
}

/** The secret is as random as the hash is long, so a fast hash will do. */
function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
