import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../../../common/secret-cipher.js';
import { Settings } from '../../../config/settings.js';
import { UnusableUpstreamError, type Upstream } from '../upstream.model.js';

const TOKEN_BYTES = 24;

type Encrypted = Pick<Upstream, 'secret' | 'token' | 'vendor_id'>;

/**
 * Encrypts the keys of upstreams and the tokens of their notifications, each bound to its vendor.
 */
@Injectable()
export class UpstreamSecrets {
  private readonly cipher: SecretCipher;

  constructor({ keyEncryptionSecret }: Settings) {
    this.cipher = new SecretCipher(keyEncryptionSecret, 'vendor-reporting-api upstreams');
  }

  encrypt(text: string, vendor_id: number): string {
    return this.cipher.encrypt(text, String(vendor_id));
  }

  /** Returns a new token, encrypted. */
  newToken(vendor_id: number): string {
    return this.encrypt(randomBytes(TOKEN_BYTES).toString('base64url'), vendor_id);
  }

  /** @throws UnusableUpstreamError if KEY_ENCRYPTION_SECRET has changed */
  keyOf({ secret, vendor_id }: Encrypted): string {
    return this.read(secret, vendor_id);
  }

  /** @throws UnusableUpstreamError if KEY_ENCRYPTION_SECRET has changed */
  tokenOf({ token, vendor_id }: Encrypted): string {
    return this.read(token, vendor_id);
  }

  /** Returns true if the token of a notification is right. */
  isToken(upstream: Encrypted, told: string): boolean {
    const [own, other] = [Buffer.from(this.tokenOf(upstream)), Buffer.from(told)];
    return own.length === other.length && timingSafeEqual(own, other);
  }

  /** Returns true if the current KEY_ENCRYPTION_SECRET decrypts both. */
  reads(upstream: Encrypted): boolean {
    try {
      return [this.keyOf(upstream), this.tokenOf(upstream)].every((text) => text !== '');
    } catch (error) {
      if (error instanceof UnusableUpstreamError) return false;
      throw error;
    }
  }

  private read(encrypted: string, vendor_id: number): string {
    try {
      return this.cipher.decrypt(encrypted, String(vendor_id));
    } catch {
      const problem = 'KEY_ENCRYPTION_SECRET does not decrypt the key of the upstream.';
      throw new UnusableUpstreamError(`${problem} Remove the upstream and add it again.`);
    }
  }
}
