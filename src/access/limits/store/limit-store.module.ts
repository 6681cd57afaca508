import cluster from 'node:cluster';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { LimitStore } from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { PrimaryLimitStore } from './primary-limit-store.js';

/** Where requests are counted: in Redis, in the primary of several workers, or in this process. */
@Module({
  providers: [
    {
      provide: LimitStore,
      inject: [Settings],
      useFactory: async ({ limits }: Settings): Promise<LimitStore> => {
        if (limits.redisUrl !== null) return redisLimitStore(limits.redisUrl);
        return cluster.isWorker ? new PrimaryLimitStore() : new MemoryLimitStore();
      },
    },
  ],
  exports: [LimitStore],
})
export class LimitStoreModule implements OnApplicationShutdown {
  constructor(@Inject(LimitStore) private readonly store: LimitStore) {}

  onApplicationShutdown(): void {
    this.store.close();
  }
}

/** Its client is a fifth of all that the service loads: only who has a Redis waits for it. */
async function redisLimitStore(url: string): Promise<LimitStore> {
  const { RedisLimitStore } = await import('./redis-limit-store.js');
  return new RedisLimitStore(url);
}
