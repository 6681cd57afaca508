/** Calls to upstreams, and their waits for each other. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AddressList } from '../../../src/platform/values/address-list.js';
import { AllowedHosts } from '../../../src/platform/outgoing/allowed-hosts.js';
import { HostNames, NameServers } from '../../../src/platform/outgoing/host-names.js';
import { OutgoingHttps } from '../../../src/platform/outgoing/outgoing-https.js';
import { within } from '../../support/processes/within.js';
import { LocalHttps } from '../../support/servers/local-https.js';
import { trustHere } from '../../support/servers/trusted-here.js';

/** This is more than the number of connections of an account to a server. */
const MANY = 10;
const SOON_MS = 10_000;

const open = new Set<ServerResponse>();
const stopping = new AbortController();
let server: LocalHttps;
let outgoing: OutgoingHttps;
let untrust: () => void;

beforeAll(async () => {
  server = await LocalHttps.start((request, response) => {
    if (request.url === '/held') open.add(response);
    else response.end('{}');
  });
  untrust = trustHere(server.settings);
  const hosts = new AllowedHosts(AddressList.parse('127.0.0.0/8'));
  outgoing = new OutgoingHttps(hosts, new HostNames(new NameServers([])));
});
afterAll(() => {
  stopping.abort();
  untrust();
  server.stop();
});

function call(account: number, method: 'GET' | 'PUT', path: string): Promise<number> {
  const limits = { ms: 60_000, bodyMs: 60_000, maxBytes: 1_000, signal: stopping.signal };
  const request = { account, method, path, body: null, headers: {}, ...limits };
  return outgoing.exchange(server.url, request, async ({ status }, body) => {
    for await (const bytes of body) expect(bytes.length).toBeGreaterThan(0);
    return status;
  });
}

it('neither a change nor another account waits for those that read', async () => {
  const held = Array.from({ length: MANY }, () => call(1, 'GET', '/held').catch(() => 0));
  await within(SOON_MS, async () => {
    await Promise.resolve();
    expect(open.size).toBe(MANY);
  });
  expect(await call(1, 'PUT', '/now')).toBe(200);
  expect(await call(2, 'GET', '/now')).toBe(200);
  expect(open.size).toBe(MANY);
  stopping.abort();
  await Promise.all(held);
});
