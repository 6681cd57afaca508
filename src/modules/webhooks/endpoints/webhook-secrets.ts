import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../../../common/secret-cipher.js';
import { Settings } from '../../../config/settings.js';
import { newSecret } from '../signing/signature.js';
import { UnreadableSecretError } from '../webhook.model.js';

/** Encrypts the secrets of endpoints under KEY_ENCRYPTION_SECRET, each bound to its vendor. */
@Injectable()
export class WebhookSecrets {
  private readonly cipher: SecretCipher;

  constructor({ keyEncryptionSecret }: Settings) {
    this.cipher = new SecretCipher(keyEncryptionSecret, 'vendor-reporting-api webhooks');
  }

  /** Returns a new secret, encrypted. */
  create(vendor_id: number): string {
    return this.encrypt(newSecret(), vendor_id);
  }

  encrypt(secret: string, vendor_id: number): string {
    return this.cipher.encrypt(secret, String(vendor_id));
  }

  /** @throws UnreadableSecretError if KEY_ENCRYPTION_SECRET has changed */
  read(encrypted: string, vendor_id: number): string {
    try {
      return this.cipher.decrypt(encrypted, String(vendor_id));
    } catch {
      throw new UnreadableSecretError('KEY_ENCRYPTION_SECRET does not decrypt the secret');
    }
  }
}
