import cluster from 'node:cluster';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { LimitStore } from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { PrimaryLimitStore } from './primary-limit-store.js';
import { RedisLimitStore } from './redis-limit-store.js';

/** Where requests are counted: in Redis, in the primary of several workers, or in this process. */
@Module({
  providers: [
    {
      provide: LimitStore,
      inject: [Settings],
      useFactory: ({ limits }: Settings): LimitStore => {
        if (limits.redisUrl !== null) return new RedisLimitStore(limits.redisUrl);
        return cluster.isWorker ? new PrimaryLimitStore() : new MemoryLimitStore();
      },
    },
  ],
  exports: [LimitStore],
})
export class LimitStoreModule implements OnApplicationShutdown {
  constructor(@Inject(LimitStore) private readonly store: LimitStore) {}

  onApplicationShutdown(): void {
    if (this.store instanceof RedisLimitStore) this.store.close();
  }
}
