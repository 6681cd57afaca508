import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../../../common/secret-cipher.js';
import { Settings } from '../../../config/settings.js';
import { UnreadableKeyError } from '../account.model.js';

/**
 * Encrypts the secrets of authenticator apps with KEY_ENCRYPTION_SECRET. Each is bound to its user.
 */
@Injectable()
export class TwoFactorSecrets {
  private readonly cipher: SecretCipher;

  constructor({ keyEncryptionSecret }: Settings) {
    this.cipher = new SecretCipher(keyEncryptionSecret, 'vendor-reporting-api two-factor');
  }

  encrypt(secret: string, user_id: number): string {
    return this.cipher.encrypt(secret, String(user_id));
  }

  /** @throws UnreadableKeyError if KEY_ENCRYPTION_SECRET has changed */
  decrypt(encrypted: string, user_id: number): string {
    try {
      return this.cipher.decrypt(encrypted, String(user_id));
    } catch (cause) {
      throw new UnreadableKeyError('a secret of two-factor sign-in cannot be decrypted', { cause });
    }
  }
}
