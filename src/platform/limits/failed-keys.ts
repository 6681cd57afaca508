import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Request } from 'express';
import type { LimitWindows } from './limit-windows.js';
import { Settings } from '../../config/settings.js';
import { Limiter } from './limiter.js';
import { LimitStore, type LimitResult } from './store/limit-store.js';
import { WaitingRequests } from './waiting-requests.js';

const MAX_BLOCKED = 100_000;
/**
 * Key lookups allowed to an address over its limit, since clients with a valid key may share the
 * address.
 */
const LOOKUPS: LimitWindows = [{ requests: 10, seconds: 1 }];

/** Limits the 401 responses per address, against the guessing of keys. */
@Injectable()
export class FailedKeys {
  /**
   * The time at which the block of each address ends, by `performance.now()`. It is a local cache
   * of the store.
   */
  private readonly blockedUntil = new LRUCache<string, number>({
    // `max` would allocate memory for all entries at once.
    maxSize: MAX_BLOCKED,
    sizeCalculation: () => 1,
  });

  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly waiting: WaitingRequests,
    private readonly limiter: Limiter,
  ) {}

  /**
   * Checks the limit of an address without counting.
   * @returns true if the address has reached its limit of 401 responses
   */
  async isOver(request: Request, client: string): Promise<boolean> {
    if (this.settings.limits.failedKeys.length === 0) return false;
    if (this.leftMs(client) > 0) return true;
    const { waitMs } = await this.take(request, client, 0);
    if (waitMs > 0) this.block(client, waitMs);
    return waitMs > 0;
  }

  /**
   * Counts a key lookup of an address over its limit, and waits if a lookup is allowed soon. Call
   * it before the lookup.
   * @throws ApiError too_many_requests, the same as for a wrong key
   */
  async takeLookup(request: Request, client: string): Promise<void> {
    const name = `key look-ups of ${client}`;
    const candidate = { request, owner: client, name, windows: LOOKUPS };
    const { result } = await this.waiting.forLookups.take(candidate);
    if (!result.allowed) throw this.error(client);
  }

  /** Counts a 401 response. @throws ApiError too_many_requests if it exceeds the limit */
  async count(request: Request, client: string): Promise<void> {
    if (this.settings.limits.failedKeys.length === 0) return;
    if (this.leftMs(client) <= 0) {
      const { allowed, waitMs } = await this.take(request, client, 1);
      if (allowed) return;
      this.block(client, waitMs);
    }
    throw this.error(client);
  }

  private async take(request: Request, client: string, count: 0 | 1): Promise<LimitResult> {
    const { failedKeys: windows } = this.settings.limits;
    return this.store.take({ name: `failed-keys ${client}`, windows, count, request });
  }

  private block(client: string, waitMs: number): void {
    this.blockedUntil.set(client, performance.now() + waitMs);
  }

  private leftMs(client: string): number {
    return (this.blockedUntil.get(client) ?? 0) - performance.now();
  }

  /** Returns an error that does not reveal whether the key was looked up. */
  private error(client: string): Error {
    return this.limiter.after('failed_keys', Math.max(1, Math.ceil(this.leftMs(client) / 1_000)));
  }
}
