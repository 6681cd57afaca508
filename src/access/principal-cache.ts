import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { dateTimeOf } from '../common/time.js';
import type { Principal } from '../modules/accounts/account.model.js';

/**
 * Milliseconds from the start of the lookup: half the time within which a revocation must take
 * effect.
 */
const LIFETIME_MS = 1_000;
const MAX_ENTRIES = 10_000;

/** Keeps the owners of recently used keys, so that not every request needs a lookup. */
@Injectable()
export class PrincipalCache {
  private readonly entries = new LRUCache<string, Principal>({ max: MAX_ENTRIES });

  /**
   * Returns the owner of a key whose lookup is recent, or undefined.
   * @param authorization the header as it was sent
   */
  get(authorization: string): Principal | undefined {
    const found = this.entries.get(hashOf(authorization));
    // A clock that is set back, or a slow response of the database, must not extend the lifetime.
    if (found === undefined || found.lookedUpAt + LIFETIME_MS <= performance.now())
      return undefined;
    if (found.expires !== null && found.expires <= dateTimeOf(new Date())) return undefined;
    return found;
  }

  /** Returns true if the key was valid at its last lookup, however long ago. */
  has(authorization: string): boolean {
    return this.entries.has(hashOf(authorization));
  }

  set(authorization: string, principal: Principal): void {
    this.entries.set(hashOf(authorization), principal);
  }

  delete(authorization: string): void {
    this.entries.delete(hashOf(authorization));
  }
}

/** Returns the hash of a header. Keys are not kept in memory as plain text. */
function hashOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}
