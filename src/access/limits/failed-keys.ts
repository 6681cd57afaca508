import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/settings.js';
import { LimitStore, secondsToWait, type Taken } from './limit-store.js';
import { Refusals } from './refusals.js';

const MOST_SHUT = 100_000;

/** Counts the answers 401 of each address, and shuts those out that have had too many. */
@Injectable()
export class FailedKeys {
  /** Until when an address is shut out, by `performance.now()`, as far as this process knows. */
  private readonly shutUntil = new LRUCache<string, number>({ max: MOST_SHUT });

  constructor(
    private readonly settings: Settings,
    private readonly store: LimitStore,
    private readonly refusals: Refusals,
  ) {}

  /** True where this process knows of no address that is shut out. */
  get knowsNobody(): boolean {
    return this.shutUntil.size === 0;
  }

  /** @throws ApiError too_many_requests where this process knows that the address is shut out */
  checkKnown(client: string): void {
    const until = this.shutUntil.get(client);
    if (until === undefined) return;
    const leftMs = until - performance.now();
    if (leftMs > 0) throw this.refusals.after('failed_keys', Math.ceil(leftMs / 1_000));
    this.shutUntil.delete(client);
  }

  /** Asks before a key is looked up. @throws ApiError too_many_requests where the address is shut out */
  async check(client: string): Promise<void> {
    const { failedKeys } = this.settings.limits;
    if (failedKeys.length === 0) return;
    this.heed(client, await this.store.take(nameOf(client), failedKeys, 0));
    this.checkKnown(client);
  }

  /** Counts an answer 401. @throws ApiError too_many_requests where it would be one too many */
  async count(client: string): Promise<void> {
    const { failedKeys } = this.settings.limits;
    if (failedKeys.length === 0) return;
    const taken = await this.store.take(nameOf(client), failedKeys, 1);
    this.heed(client, taken);
    if (!taken.allowed) throw this.refusals.of('failed_keys', taken);
  }

  private heed(client: string, taken: Taken): void {
    if (taken.states.every(({ remaining }) => remaining > 0)) return;
    this.shutUntil.set(client, performance.now() + secondsToWait(taken) * 1_000);
  }
}

function nameOf(client: string): string {
  return `failed-keys ${client}`;
}
