import { timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AddressList } from '../../../platform/values/address-list.js';
import { watchResponse } from '../../../api/envelope/response-end.js';
import { describeError } from '../../../platform/errors/describe-error.js';
import { parseLimitWindows } from '../../../platform/limits/limit-windows.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import {
  isAccess,
  isSamePrincipal,
  type Principal,
  Principals,
} from '../../../api/access/principal.js';
import { ApiApplicationsRepository, type KeyRow } from './api-applications.repository.js';
import { hashOfApiKey, isCompleteApiKey, isWellFormedApiKey } from './key-cipher.js';

/** The use of a key is recorded at most this often. */
const NOTED_EVERY_MS = 60_000;
const MAX_NOTED = 10_000;

/** Finds the user a key belongs to and records the use of the key. */
@Injectable()
export class PrincipalsService extends Principals implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Keys');
  private readonly noted = new LRUCache<string, true>({ max: MAX_NOTED, ttl: NOTED_EVERY_MS });
  private readonly lookUps = new Map<string, Promise<Principal | null>>();
  private readonly notes = new Set<Promise<void>>();

  constructor(private readonly repository: ApiApplicationsRepository) {
    super();
  }

  isComplete(key: string): boolean {
    return isCompleteApiKey(key);
  }

  isWellFormed(key: string): boolean {
    return isWellFormedApiKey(key);
  }

  /** Finds the caller of a key. Concurrent requests with the same key share a look-up. */
  async principalOf(key: string): Promise<Principal | null> {
    return isWellFormedApiKey(key) ? this.again({ key_hash: hashOfApiKey(key) }) : null;
  }

  async again({ key_hash }: Pick<Principal, 'key_hash'>): Promise<Principal | null> {
    const running = this.lookUps.get(key_hash);
    if (running !== undefined) return running;
    const lookUp = this.lookUp(key_hash).finally(() => this.lookUps.delete(key_hash));
    this.lookUps.set(key_hash, lookUp);
    return lookUp;
  }

  async isUnchanged(principal: Principal): Promise<boolean> {
    const now = await this.again(principal);
    return now !== null && isSamePrincipal(now, principal);
  }

  watch(response: ServerResponse, principal: Principal): void {
    watchResponse(response, () => this.isUnchanged(principal));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.notes);
  }

  private async lookUp(key_hash: string): Promise<Principal | null> {
    const lookedUpAt = performance.now();
    const row = await this.repository.activeKey(key_hash, dateTimeOf(new Date()));
    // The database has compared the hashes; this comparison takes constant time.
    if (row === null || !timingSafeEqual(Buffer.from(row.key_hash), Buffer.from(key_hash))) {
      return null;
    }
    this.noteUse(key_hash);
    return principalOf(row, lookedUpAt);
  }

  /** Records the use in the background. If this fails, only the time of last use is lost. */
  private noteUse(key_hash: string): void {
    if (this.noted.has(key_hash)) return;
    this.noted.set(key_hash, true);
    const now = Date.now();
    const before = dateTimeOf(new Date(now - NOTED_EVERY_MS));
    const note = this.repository
      .noteUse(key_hash, dateTimeOf(new Date(now)), before)
      .catch((error: unknown) => {
        this.logger.warn({ what: 'The use of a key was not recorded.', ...describeError(error) });
      })
      .finally(() => this.notes.delete(note));
    this.notes.add(note);
  }
}

function principalOf(row: KeyRow, lookedUpAt: number): Principal {
  const { user_id, application_id, key_hash, access, user_status, mcp_writes } = row;
  const { address_allow_list, limits, key_expires, application_expires } = row;
  const ends = [key_expires, application_expires].filter((end) => end !== null);
  return {
    user_id,
    application_id,
    key_hash,
    access: readable(isAccess(access) ? access : null),
    suspended: user_status === 'suspended',
    mcp_writes: mcp_writes === 1,
    expires: ends.sort()[0] ?? null,
    addresses: address_allow_list === null ? null : readable(AddressList.parse(address_allow_list)),
    limits: limits === null ? null : readable(parseLimitWindows(limits)),
    lookedUpAt,
  };
}

/** Throws for a restriction that cannot be read, because it must not allow access. */
function readable<Value>(value: Value | null): Value {
  if (value === null) throw new Error('an API application has a setting that cannot be read');
  return value;
}
