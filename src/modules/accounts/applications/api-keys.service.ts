import { Injectable, Logger } from '@nestjs/common';
import { dateTimeOf } from '../../../platform/values/time.js';
import { Database, type EntityReader } from '../../../platform/database/database.js';
import { OPERATOR } from '../../../platform/values/author.js';
import { UnknownAccountError, UnreadableKeyError, type RotatedKey } from '../account.model.js';
import { KeyCipher, makeApiKey } from './key-cipher.js';
import { ApiApplicationsRepository } from './api-applications.repository.js';
import { ManagedApplications } from './managed-applications.js';

/** If a key is shown again within this time, only the first time is recorded. */
const SHOWN_AGAIN_MS = 60_000;

/**
 * Manages the keys of API applications. Every change is in the audit log. `by` has the same meaning
 * as in api-applications.service.ts.
 */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger('Keys');

  constructor(
    private readonly database: Database,
    private readonly repository: ApiApplicationsRepository,
    private readonly managed: ManagedApplications,
    private readonly cipher: KeyCipher,
  ) {}

  /**
   * Gives an application a new key.
   * @param overlapSeconds how long the old key keeps working; 0 ends it immediately
   */
  async rotateKey(id: number, overlapSeconds: number, by = OPERATOR): Promise<RotatedKey> {
    const key = makeApiKey();
    const now = new Date();
    const oldKeyEnds = dateTimeOf(new Date(now.getTime() + overlapSeconds * 1_000));
    const application = await this.database.write(async (session) => {
      const found = await this.managed.locked(session, id, by);
      if (found.state === 'revoked') {
        throw new UnknownAccountError(`Application ${id} is revoked; create a new one.`);
      }
      await this.repository.endKeys(session, id, oldKeyEnds);
      await this.repository.insertKey(session, id, this.cipher.stored(key), dateTimeOf(now));
      await this.managed.record(session, by, 'key.rotate', found, {
        ...found,
        old_key_ends: oldKeyEnds,
      });
      return found;
    });
    return { application, key, old_key_ends: overlapSeconds === 0 ? null : oldKeyEnds };
  }

  /**
   * Ends the overlap of a rotation: all keys but the current one are rejected from now on.
   * @returns false if no old key was working
   */
  async endOverlap(id: number, by = OPERATOR): Promise<boolean> {
    const now = dateTimeOf(new Date());
    return this.database.write(async (session) => {
      const found = await this.managed.locked(session, id, by);
      const old_key_ends = await this.repository.oldKeyEnds(session, found, now);
      if (old_key_ends === null) return false;
      await this.repository.endOldKeys(session, id, now);
      const after = { ...found, old_key_ends: now };
      await this.managed.record(session, by, 'key.end-overlap', { ...found, old_key_ends }, after);
      return true;
    });
  }

  /**
   * Returns the key of an active application to show it to its owner. The audit log records this at
   * most once a minute.
   * @returns null if the application is revoked
   * @throws UnreadableKeyError if the key cannot be decrypted
   */
  showKey(id: number, by: number): Promise<string | null> {
    const now = Date.now();
    const unlessAfter = dateTimeOf(new Date(now - SHOWN_AGAIN_MS));
    return this.database.write(async (session) => {
      const application = await this.managed.locked(session, id, by);
      if (application.state !== 'active') return null;
      const key = await this.keyOf(id, session);
      const at = dateTimeOf(new Date(now));
      const isNew = await this.repository.noteShown(session, id, at, unlessAfter);
      if (isNew) await this.managed.record(session, by, 'key.show', null, application);
      return key;
    });
  }

  /**
   * Returns the key of any user's application in plain text.
   * @throws UnreadableKeyError if the key cannot be decrypted, which is logged
   */
  async keyOf(application_id: number, reader: EntityReader = this.database) {
    const key = await this.repository.currentKey(reader, application_id);
    try {
      return key === null ? null : this.cipher.decrypt(key.encrypted_key, key.key_hash);
    } catch (error) {
      if (error instanceof UnreadableKeyError) {
        const what = `The key of application ${application_id} cannot be shown`;
        const why = 'it was stored under another KEY_ENCRYPTION_SECRET';
        this.logger.error(`${what}: ${why}. See "keys rewrap".`);
      }
      throw error;
    }
  }
}
