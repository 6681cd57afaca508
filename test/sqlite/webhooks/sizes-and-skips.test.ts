/** How large a delivery may be. The service runs in this process. */
import { describe, expect, it } from '@jest/globals';
import { LARGE_TRACKING } from '../../support/builders/large-sale.js';
import { until } from '../../support/servers/running-service.js';
import { useWebhooksHere } from '../../support/servers/webhooks-here.js';

const MEBIBYTE = 1_048_576;

const hooks = useWebhooksHere();

/** @returns bytes and number of changes of each delivery at a path, once all were sent */
async function sizesAt(path: string, changes: number): Promise<(readonly [number, number])[]> {
  const received = () => hooks.receivedAt(path);
  const sent = () => received().flatMap(({ sequences }) => sequences).length;
  await until('all changes', () => sent() === changes);
  return received().map(({ body, sequences }) => [Buffer.byteLength(body), sequences.length]);
}

describe('the body of a delivery', () => {
  it('stays below the size of its endpoint, but for a single change that is larger', async () => {
    await hooks.endpointAt('/default');
    await hooks.endpointAt('/most', { max_bytes: MEBIBYTE });
    await hooks.endpointAt('/least', { max_bytes: 1_024 });
    await hooks.sell(7, { tracking: LARGE_TRACKING });
    await hooks.sell(3);
    for (const path of ['/default', '/least']) {
      const large = (await sizesAt(path, 10)).filter(([bytes]) => bytes > 92_160);
      expect(large.map(([, changes]) => changes)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    }
    const small = (await sizesAt('/least', 10)).slice(-3);
    expect(small.map(([, changes]) => changes)).toEqual([1, 1, 1]);
    const most = await sizesAt('/most', 10);
    expect(Math.max(...most.map(([bytes]) => bytes))).toBeGreaterThan(4 * 92_160);
    expect(Math.max(...most.map(([bytes]) => bytes))).toBeLessThan(MEBIBYTE);
  });

  it('follows a new size at the next try, which comes at once', async () => {
    hooks.receiver.behaviour = ({ body }, response) =>
      response.writeHead(Buffer.byteLength(body) > 20_000 ? 413 : 204).end();
    const { id } = await hooks.endpointAt('/small');
    await hooks.sell(40);
    await hooks.untilDelivered(id);
    expect(await hooks.stored(id)).toMatchObject({ failures: 1, last_taken: null });
    const changed = await hooks.call('PATCH', `/${id}`, { max_bytes: 20_000 });
    expect(changed).toMatchObject({ max_bytes: 20_000, failures: 0, problem: null });
    const taken = () => hooks.receivedAt('/small').slice(1);
    await until('all', () => new Set(taken().flatMap(({ sequences }) => sequences)).size === 40);
    const last = hooks.receivedAt('/small')[0]?.sequences[0] ?? Infinity;
    expect(taken()[0]?.sequences[0]).toBe(last);
  });
});
