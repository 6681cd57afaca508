import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../servers/running-service.js';
import type { TestService } from '../servers/service.js';
import { FeedFollower } from './feed-follower.js';

/**
 * Follows each vendor's feed through both instances during the work, and expects the result to
 * equal an export.
 */
export async function followDuring(
  work: Promise<void>,
  vendors: readonly number[],
  instances: readonly [TestService, TestService],
): Promise<void> {
  const working = new Set([work]);
  const end = () => {
    working.clear();
  };
  work.then(end, end);
  const [first] = instances;
  await Promise.all(
    vendors.map(async (vendor) => {
      const follower = new FeedFollower(await keyOf(first, vendor), 17);
      for (let asked = vendor, more = true; more || working.size > 0; asked += 1) {
        more = await follower.step(instances[asked % 2 === 0 ? 0 : 1]);
        if (!more) await wait(20);
      }
      await until('the end', async () => {
        while (await follower.step(instances[0]));
        return follower.isExport(instances[1]);
      });
    }),
  );
}

/** Creates a key as soon as the vendor is in the ledger. */
async function keyOf(service: TestService, vendor: number): Promise<string> {
  let key = '';
  await until('a key', async () => {
    key = await service.key(vendor).catch(() => '');
    return key !== '';
  });
  return key;
}
