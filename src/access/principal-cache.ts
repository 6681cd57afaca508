import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { dateTimeOf } from '../common/time.js';
import type { Principal } from '../modules/accounts/account.model.js';

/**
 * How long after its look-up began a principal is known: half of the time in which a revocation must be
 * felt everywhere.
 */
const KEPT_MS = 1_000;
const MOST = 10_000;

/** Whom the keys of the last second belong to, so that a busy client costs no look-up a request. */
@Injectable()
export class PrincipalCache {
  private readonly kept = new LRUCache<string, Principal>({ max: MOST });

  /** @param authorization the header as it was sent */
  get(authorization: string): Principal | undefined {
    const found = this.kept.get(nameOf(authorization));
    // A clock that is set back would prolong it, and so would a slow answer of the database.
    if (found === undefined || found.lookedUpAt + KEPT_MS <= performance.now()) return undefined;
    if (found.expires !== null && found.expires <= dateTimeOf(new Date())) return undefined;
    return found;
  }

  /** True where it belonged to somebody when it was last looked up, however long ago that is. */
  has(authorization: string): boolean {
    return this.kept.has(nameOf(authorization));
  }

  set(authorization: string, principal: Principal): void {
    this.kept.set(nameOf(authorization), principal);
  }

  delete(authorization: string): void {
    this.kept.delete(nameOf(authorization));
  }
}

/** No key in clear lies about in memory. */
function nameOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}
