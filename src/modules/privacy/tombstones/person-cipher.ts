import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { SecretStore, type StoredRow } from '../../../platform/secrets/secret-store.js';
import { ErasuresFile } from './erasures-file.js';
import { UnreadablePersonKeyError } from './erased-person.model.js';

const CONTEXT = 'person key';
const ENCODING = 'base64url';

/** Encrypts the key of the hashes of customers. A database has one. */
@Injectable()
export class PersonCipher extends SecretStore {
  constructor(
    settings: Settings,
    private readonly file: ErasuresFile,
  ) {
    super(settings, {
      position: 5,
      title: 'Key of erased people',
      purpose: 'vendor-reporting-api people',
      table: 'person_keys',
      key: 'id',
      columns: ['secret'],
      contextOf: () => CONTEXT,
      audited: () => [{ action: 'person_key.rewrap', subject: 'key of erased people', after: {} }],
      unreadable: () => new UnreadablePersonKeyError(),
    });
  }

  encryptKey(key: Buffer): string {
    return this.encrypt(key.toString(ENCODING), CONTEXT);
  }

  /** @throws UnreadablePersonKeyError if KEY_ENCRYPTION_SECRET or the text has changed */
  decryptKey(secret: string): Buffer {
    return Buffer.from(this.decrypt(secret, CONTEXT), ENCODING);
  }

  reads(secret: string): boolean {
    try {
      return this.decryptKey(secret).length > 0;
    } catch (error) {
      if (error instanceof UnreadablePersonKeyError) return false;
      throw error;
    }
  }

  /**
   * Adds the key to the file of erasures before the database has it, because a restored database
   * uses the key from there.
   */
  override beforeRewrap(changes: readonly StoredRow[]): Promise<void> {
    return this.file.append(changes.map(({ secret }) => ({ secret: String(secret) })));
  }
}
