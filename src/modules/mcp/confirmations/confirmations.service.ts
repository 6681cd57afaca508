import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { Settings } from '../../../config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { JobLoop } from '../../../platform/jobs/job-loop.js';
import { dateTimeIn, dateTimeOf } from '../../../platform/values/time.js';
import { UsedTokensRepository } from './used-tokens.repository.js';

const PURPOSE = 'vendor-reporting-api confirmations';
const VALID_MS = 5 * 60_000;
const ID_BYTES = 16;
/** Maximum number of used tokens of a user that are still valid. */
const MAX_USED = 1_000;
/** Time of expiry in seconds, id and signature. */
const TOKEN = /^(?<end>\d{10})\.(?<id>[\w-]{22})\.(?<signature>[\w-]{43})$/;

/** Names what is confirmed: the key, the tool, its arguments and the present state. */
type Subject = readonly unknown[];

export interface Confirmation {
  readonly token: string;
  /** In UTC. */
  readonly expires: string;
}

/**
 * Issues tokens with which a client confirms a change, and accepts each once. A token is signed and
 * not stored; used ones are stored until they expire, so that no other instance accepts them.
 */
@Injectable()
export class ConfirmationsService {
  private readonly key: Buffer;

  constructor(
    private readonly database: Database,
    private readonly used: UsedTokensRepository,
    { keyEncryptionSecret }: Settings,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', keyEncryptionSecret, '', PURPOSE, 32));
  }

  issue(subject: Subject): Confirmation {
    const end = Math.floor((Date.now() + VALID_MS) / 1_000);
    const id = randomBytes(ID_BYTES).toString('base64url');
    const signature = this.signatureOf(String(end), id, subject).toString('base64url');
    return { token: `${end}.${id}.${signature}`, expires: dateTimeOf(new Date(end * 1_000)) };
  }

  /**
   * Uses a token of a user.
   * @param subject what is about to change; the token must have been issued for the same
   * @throws ApiError invalid_parameters if the token is not valid, has expired or was used;
   *   too_many_requests if the user has used too many
   */
  async use(user_id: number, token: string, subject: Subject): Promise<void> {
    const { end = '', id = '', signature = '' } = TOKEN.exec(token)?.groups ?? {};
    if (!isSame(Buffer.from(signature, 'base64url'), this.signatureOf(end, id, subject))) {
      throw refused('is not for this key, tool and arguments, or what it is about has changed');
    }
    const ends = new Date(Number(end) * 1_000);
    if (ends.getTime() <= Date.now()) throw refused('has expired');
    await this.database.write(async (session) => {
      await this.used.removeExpiredOf(session, user_id, dateTimeIn(0));
      if (await this.used.isUsed(session, id)) throw refused('was used already');
      if ((await this.used.countOf(session, user_id)) >= MAX_USED) throw tooMany();
      // If another instance uses the token at the same time, this fails and the check is repeated.
      await this.used.add(session, { token_id: id, user_id, expires: dateTimeOf(ends) });
    });
  }

  /** Removes used tokens that have expired. */
  removeExpired(): Promise<void> {
    return this.database.write((session) => this.used.removeExpired(session, dateTimeIn(0)));
  }

  private signatureOf(end: string, id: string, subject: Subject): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([end, id, subject]))
      .digest();
  }
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function refused(problem: string): ApiError {
  const next = 'Nothing was changed. Call the tool without it to get another one.';
  return new ApiError('invalid_parameters', `The confirmation_token ${problem}. ${next}`);
}

function tooMany(): ApiError {
  return new ApiError('too_many_requests', 'Too many changes were confirmed within 5 minutes.');
}

const HOUR_MS = 3_600_000;

/** Removes expired tokens every hour. Several instances may do so at the same time. */
@Injectable()
export class ConfirmationsCleanup extends JobLoop {
  constructor(private readonly confirmations: ConfirmationsService) {
    super('Used confirmation tokens could not be deleted', HOUR_MS);
  }

  protected run(): Promise<void> {
    return this.confirmations.removeExpired();
  }
}
