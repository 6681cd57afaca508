/** The front of an upstream forwards requests, and causes the faults that a test sets. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { HttpsClient } from '../support/http/https-client.js';
import { UpstreamFront } from '../support/servers/upstream-front.js';

let front: UpstreamFront;
let client: HttpsClient;
const services: Server[] = [];

/**
 * Starts a service that repeats each request in its answer.
 * @returns its port
 */
async function startService(name: string): Promise<number> {
  const service = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    response.setHeader('X-Service', name);
    response.end(`${method} ${url} ${String(headers.authorization)}`);
  });
  services.push(service);
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  return (service.address() as AddressInfo).port;
}

beforeAll(async () => {
  front = new UpstreamFront(await startService('one'));
  const settings = await front.start();
  client = new HttpsClient(front.url, settings);
});
beforeEach(() => {
  front.counts.clear();
});
afterAll(() => {
  client.end();
  front.stop();
  for (const service of services) service.close();
});

it('hands requests on, counts them, and follows the instance to another port', async () => {
  const path = '/v2.1/transaction/details/a%2Fb?x=%20';
  const answer = await client.get(path, 'key');
  expect(answer).toMatchObject({ status: 200, text: `GET ${path} Basic a2V5Ong=` });
  expect(answer.headers['x-service']).toBe('one');
  front.target = await startService('two');
  const again = await client.get('/v3.0/transactions?page_index=1', 'key');
  expect(again.headers['x-service']).toBe('two');
  expect([front.counts.of('detail'), front.counts.of('list'), front.counts.total]).toEqual([
    1, 1, 2,
  ]);
});

it('fails every second request in turn', async () => {
  front.failEvery = 2;
  const outcomes: unknown[] = [];
  for (let index = 0; index < 6; index += 1) {
    const outcome = client.get('/v2.1/products/names', 'key').then(
      ({ status, headers }) => [status, headers['retry-after']],
      () => 'cut off',
    );
    outcomes.push(await outcome);
  }
  front.failEvery = 0;
  const passed = [200, undefined];
  expect(outcomes).toEqual([passed, [500, undefined], passed, [429, '1'], passed, 'cut off']);
  expect(front.failed).toEqual({ '500': 1, '429': 1, 'cut off': 1 });
});

it('holds requests back, and hangs up', async () => {
  front.pause();
  const held = client.get('/v3.0/transactions/a', 'key');
  while (front.waiting === 0) await new Promise(setImmediate);
  front.resume();
  expect((await held).status).toBe(200);
  front.goDown();
  await expect(client.get('/v3.0/transactions/a', 'key')).rejects.toThrow();
  front.isDown = false;
  expect((await client.get('/v3.0/transactions/a', 'key')).status).toBe(200);
});
