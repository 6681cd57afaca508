import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Request } from 'express';
import type { LimitWindows } from '../../common/limit-windows.js';
import { Settings } from '../../config/settings.js';
import { RateLimitErrors } from './rate-limit-errors.js';
import { LimitStore, type LimitResult } from './store/limit-store.js';
import { WaitingRequests } from './waiting/waiting-requests.js';

const MOST_OVER = 100_000;
/** For an address with too many wrong keys; other clients that share it may have good ones. */
const LOOK_UPS: LimitWindows = [{ requests: 10, seconds: 1 }];

/** Counts the answers 401 of each address, and keeps down how fast keys can be guessed from there. */
@Injectable()
export class FailedKeys {
  /** Until when an address is over its limit, by `performance.now()`, as far as this process knows. */
  private readonly overUntil = new LRUCache<string, number>({ max: MOST_OVER });

  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly waiting: WaitingRequests,
    private readonly refusals: RateLimitErrors,
  ) {}

  /** @returns true where the address has had as many answers 401 as it may */
  async isOver(request: Request, client: string): Promise<boolean> {
    const { failedKeys } = this.settings.limits;
    if (failedKeys.length === 0) return false;
    if (this.leftMs(client) > 0) return true;
    const { waitMs } = await this.take(request, client, 0);
    if (waitMs > 0) this.note(client, waitMs);
    return waitMs > 0;
  }

  /**
   * Asks before a key is looked up for an address that is over its limit, and waits where its turn
   * comes soon enough.
   * @throws ApiError too_many_requests, the same as for a wrong key
   */
  async takeLookUp(request: Request, client: string): Promise<void> {
    const { forLookUps: room } = this.waiting;
    const name = `key look-ups of ${client}`;
    const longestWaitMs = room.longestWait(client);
    const taken = await this.store.take(name, LOOK_UPS, 1, { request, longestWaitMs });
    if (taken.allowed && taken.waitMs === 0) return;
    const candidate = { request, owner: client, name, look: () => taken };
    if (taken.allowed && (await room.wait(candidate, taken)).allowed) return;
    throw this.refusal(client);
  }

  /** Counts an answer 401. @throws ApiError too_many_requests where it would be one too many */
  async count(request: Request, client: string): Promise<void> {
    const { failedKeys } = this.settings.limits;
    if (failedKeys.length === 0) return;
    if (this.leftMs(client) <= 0) {
      const { allowed, waitMs } = await this.take(request, client, 1);
      if (allowed) return;
      this.note(client, waitMs);
    }
    throw this.refusal(client);
  }

  private async take(request: Request, client: string, count: 0 | 1): Promise<LimitResult> {
    const { failedKeys } = this.settings.limits;
    return this.store.take(`failed-keys ${client}`, failedKeys, count, { request });
  }

  private note(client: string, waitMs: number): void {
    this.overUntil.set(client, performance.now() + waitMs);
  }

  private leftMs(client: string): number {
    return (this.overUntil.get(client) ?? 0) - performance.now();
  }

  /** The same whether a key was looked up or not. */
  private refusal(client: string): Error {
    return this.refusals.after('failed_keys', Math.max(1, Math.ceil(this.leftMs(client) / 1_000)));
  }
}
