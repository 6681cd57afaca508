import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { SecretStore } from '../../../platform/secrets/secret-store.js';
import { UnusableUpstreamError, type Upstream } from './upstream.model.js';

const TOKEN_BYTES = 24;
const UNREADABLE =
  'KEY_ENCRYPTION_SECRET does not decrypt the key of the upstream. Remove the upstream and add it again.';

type Encrypted = Pick<Upstream, 'secret' | 'token' | 'vendor_id'>;

/**
 * Encrypts the keys of upstreams and the tokens of their notifications, each bound to its vendor.
 */
@Injectable()
export class UpstreamSecrets extends SecretStore {
  constructor(settings: Settings) {
    super(settings, {
      position: 3,
      title: 'Keys of upstreams',
      purpose: 'vendor-reporting-api upstreams',
      table: 'upstreams',
      key: 'id',
      columns: ['secret', 'token'],
      contextOf: ({ vendor_id }) => vendor_id,
      audited: (rows) =>
        rows.map(({ id, vendor_id }) => ({
          action: 'upstream.rewrap',
          subject: `upstream ${id} of user ${vendor_id}`,
          after: {},
        })),
      unreadable: () => new UnusableUpstreamError(UNREADABLE),
    });
  }

  /** Returns a new token, encrypted. */
  newToken(vendor_id: number): string {
    return this.encrypt(randomBytes(TOKEN_BYTES).toString('base64url'), vendor_id);
  }

  /** @throws UnusableUpstreamError if KEY_ENCRYPTION_SECRET has changed */
  keyOf({ secret, vendor_id }: Encrypted): string {
    return this.decrypt(secret, vendor_id);
  }

  /** @throws UnusableUpstreamError if KEY_ENCRYPTION_SECRET has changed */
  tokenOf({ token, vendor_id }: Encrypted): string {
    return this.decrypt(token, vendor_id);
  }

  /** Returns true if the token of a notification is right. */
  isToken(upstream: Encrypted, told: string): boolean {
    const [own, other] = [Buffer.from(this.tokenOf(upstream)), Buffer.from(told)];
    return own.length === other.length && timingSafeEqual(own, other);
  }
}
