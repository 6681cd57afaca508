import cluster from 'node:cluster';
import type { Settings } from '../../../config/settings.js';
import type { LimitStore } from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { PrimaryLimitStore } from './primary-limit-store.js';

/** Where requests are counted: in Redis, in the primary of several workers, or in this process. */
export async function makeLimitStore({ limits }: Settings): Promise<LimitStore> {
  if (limits.redisUrl === null) {
    return cluster.isWorker ? new PrimaryLimitStore() : new MemoryLimitStore();
  }
  // Its client is a fifth of all that the service loads: only who has a Redis waits for it.
  const { RedisLimitStore } = await import('./redis-limit-store.js');
  return new RedisLimitStore(limits.redisUrl);
}
