import cluster from 'node:cluster';
import type { Settings } from '../../../config/settings.js';
import type { LimitStore } from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { PrimaryLimitStore } from './primary-limit-store.js';

/**
 * Returns the store that counts requests: in Redis, in the primary process if there are workers, or
 * in this process.
 */
export async function makeLimitStore({ limits }: Settings): Promise<LimitStore> {
  if (limits.redisUrl === null) {
    return cluster.isWorker ? new PrimaryLimitStore() : new MemoryLimitStore();
  }
  // The module is loaded only on demand, since the Redis client is large.
  const { RedisLimitStore } = await import('./redis-limit-store.js');
  return new RedisLimitStore(limits.redisUrl);
}
