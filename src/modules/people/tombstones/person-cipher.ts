import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../../../common/secret-cipher.js';
import { Settings } from '../../../config/settings.js';
import { UnreadablePersonKeyError } from './erased-person.model.js';

const ROW = 'person key';
const ENCODING = 'base64url';

/** Encrypts the key of the hashes of customers with KEY_ENCRYPTION_SECRET. */
@Injectable()
export class PersonCipher {
  private readonly cipher: SecretCipher;

  constructor({ keyEncryptionSecret }: Settings) {
    this.cipher = new SecretCipher(keyEncryptionSecret, 'vendor-reporting-api people');
  }

  encrypt(key: Buffer): string {
    return this.cipher.encrypt(key.toString(ENCODING), ROW);
  }

  /** @throws UnreadablePersonKeyError if KEY_ENCRYPTION_SECRET or the text has changed */
  decrypt(secret: string): Buffer {
    try {
      return Buffer.from(this.cipher.decrypt(secret, ROW), ENCODING);
    } catch {
      throw new UnreadablePersonKeyError();
    }
  }

  reads(secret: string): boolean {
    try {
      return this.decrypt(secret).length > 0;
    } catch (error) {
      if (error instanceof UnreadablePersonKeyError) return false;
      throw error;
    }
  }
}
