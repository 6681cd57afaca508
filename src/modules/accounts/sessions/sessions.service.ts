import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DAY_MS, dateTimeOf } from '../../../common/time.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session ends after two hours without a request, and after a day in any case. */
export const IDLE_MS = 2 * 3_600_000;
const MAX_AGE_MS = DAY_MS;
/** The precision of an idle session's end, which saves a write with most requests. */
const PROLONGED_EVERY_MS = 60_000;

/** Signed-in browsers, stored in the database, so that every instance knows them, also after a restart. */
@Injectable()
export class SessionsService {
  constructor(private readonly repository: SessionsRepository) {}

  /**
   * @param id the secret in the browser's cookie; only its hash is stored
   * @returns the JSON saved last, or null if the session has ended
   */
  dataOf(id: string): Promise<string | null> {
    const now = Date.now();
    const begunAfter = dateTimeOf(new Date(now - MAX_AGE_MS));
    return this.repository.dataOf(hashOf(id), dateTimeOf(new Date(now)), begunAfter);
  }

  /** @param password_id of the password used, see SignInService.userWith */
  async save(id: string, user_id: number, password_id: string, data: string): Promise<void> {
    const now = Date.now();
    await this.repository.removeExpired(dateTimeOf(new Date(now)));
    await this.repository.save({
      ...{ session_hash: hashOf(id), user_id, password_id, data },
      ...{ created: dateTimeOf(new Date(now)), expires: dateTimeOf(new Date(now + IDLE_MS)) },
    });
  }

  /** Changes the content of a session, if it still exists. */
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
