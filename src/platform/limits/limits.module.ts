import cluster from 'node:cluster';
import { Module } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { getStorageToken, ThrottlerModule } from '@nestjs/throttler';
import { Settings } from '../../config/settings.js';
import { ApplicationLimits } from './application-limits.js';
import { FailedKeys } from './failed-keys.js';
import { LimitStore } from './store/limit-store.js';
import { MemoryLimitStore, PrimaryLimitStore } from './store/memory-limit-store.js';
import { Limiter, AddressLimits } from './limiter.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { SignInLimits } from './sign-in-limits.js';
import { WaitingRequests } from './waiting-requests.js';

const LIMITS = [AddressLimits, ApplicationLimits, FailedKeys, ConcurrencyLimiter, SignInLimits];

/** Provides all limits. They share one store. */
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [Settings],
      // No throttler is configured, since limits depend on settings and application: see
      // application-limits.ts.
      useFactory: async (settings: Settings) => ({
        throttlers: [],
        storage: await makeLimitStore(settings),
      }),
    }),
  ],
  providers: [
    { provide: LimitStore, useExisting: getStorageToken() },
    ...LIMITS,
    Limiter,
    WaitingRequests,
  ],
  exports: [...LIMITS, LimitStore, Limiter, WaitingRequests],
})
export class LimitsModule {
  constructor(metrics: Metrics, { counts }: Limiter, store: LimitStore) {
    metrics.counter('limit_refusals_total', '429 responses.', 'limit', () => counts);
    const stores =
      'Processes by where they count requests: together, or alone while Redis is unavailable.';
    metrics.gauge('limit_stores', stores, 'counting', () => ({
      together: store.isShared ? 1 : 0,
      alone: store.isShared ? 0 : 1,
    }));
    const all =
      'With Redis: counts of requests, together with all instances or alone because it did not answer in time.';
    metrics.counter('limit_counts_total', all, 'counting', () => store.counts);
  }
}

/**
 * Returns the store that counts requests: in Redis, in the primary process if there are workers, or
 * in this process.
 */
async function makeLimitStore({ limits }: Settings): Promise<LimitStore> {
  if (limits.redisUrl === null) {
    return cluster.isWorker ? new PrimaryLimitStore() : new MemoryLimitStore();
  }
  // The module is loaded only on demand, since the Redis client is large.
  const { RedisLimitStore } = await import('./store/redis-limit-store.js');
  return new RedisLimitStore(limits.redisUrl);
}
