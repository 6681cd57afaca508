import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { Database } from '../../../database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import { UnreadableKeyError, type StoredKey } from '../account.model.js';
import { KeyCipher } from './key-cipher.js';
import { RewrapKeysRepository } from './rewrap-keys.repository.js';

/** Number of keys per transaction. */
const BATCH_SIZE = 500;

/** The summary counts keys by result. */
export interface RewrapSummary {
  readonly rewrapped: number;
  /**
   * Keys that were already encrypted with the current secret, or changed by another process
   * meanwhile.
   */
  readonly current: number;
  readonly unreadable: number;
}

interface Rewrap {
  readonly key: StoredKey;
  readonly encrypted_key: string;
}

/**
 * Re-encrypts stored keys after a change of KEY_ENCRYPTION_SECRET. Only the cipher text of a row
 * changes, and only if it is still the one that was read. The service may run meanwhile, and an
 * interrupted run can be repeated.
 */
@Injectable()
export class RewrapKeysService {
  constructor(
    private readonly database: Database,
    private readonly repository: RewrapKeysRepository,
    private readonly cipher: KeyCipher,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  /** @param onUnreadable called with the application of each key that neither secret decrypts */
  async rewrap(
    oldSecret: string,
    onUnreadable: (application_id: number) => void,
  ): Promise<RewrapSummary> {
    const old = new KeyCipher(Object.assign({}, this.settings, { keyEncryptionSecret: oldSecret }));
    const counts = { rewrapped: 0, current: 0, unreadable: 0 };
    let keys = await this.repository.keysAfter('', BATCH_SIZE);
    for (let last = keys.at(-1); last !== undefined; last = keys.at(-1)) {
      const rewraps: Rewrap[] = [];
      for (const key of keys) {
        if (decrypted(this.cipher, key) !== null) {
          counts.current += 1;
          continue;
        }
        const text = decrypted(old, key);
        if (text === null) {
          counts.unreadable += 1;
          onUnreadable(key.application_id);
        } else rewraps.push({ key, encrypted_key: this.cipher.encrypt(text, key.key_hash) });
      }
      const rewrapped = await this.save(rewraps);
      counts.rewrapped += rewrapped;
      counts.current += rewraps.length - rewrapped;
      keys = await this.repository.keysAfter(last.key_hash, BATCH_SIZE);
    }
    return counts;
  }

  /** @returns the number of changed keys */
  private async save(rewraps: readonly Rewrap[]): Promise<number> {
    if (rewraps.length === 0) return 0;
    return this.database.write(async (session) => {
      let rewrapped = 0;
      for (const { key, encrypted_key } of rewraps) {
        if (await this.repository.replace(session, key, encrypted_key)) rewrapped += 1;
      }
      if (rewrapped === 0) return 0;
      await this.audit.record(session, {
        user_id: OPERATOR,
        application_id: NO_APPLICATION,
        action: 'key.rewrap',
        subject: 'stored keys',
        before: null,
        after: { rewrapped },
      });
      return rewrapped;
    });
  }
}

function decrypted(cipher: KeyCipher, { encrypted_key, key_hash }: StoredKey): string | null {
  try {
    return cipher.decrypt(encrypted_key, key_hash);
  } catch (error) {
    if (error instanceof UnreadableKeyError) return null;
    throw error;
  }
}
