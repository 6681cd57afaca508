import { expect } from '@jest/globals';
import { VENDOR } from '../builders/all-records.js';
import type { Visitor } from '../browser/visitor.js';
import { basic, envelopeOf, type Answer } from '../http/http.js';
import { until } from '../servers/running-service.js';
import type { RecordedService } from '../servers/recorded-service.js';

/** This address is found without a name server and is not public, so no request is sent. */
const URL = 'https://localhost/hook';
const PATH = '/ledger/v1/webhooks';

/** Uses webhooks through API operations. No delivery succeeds. */
export async function useWebhooks(recorded: RecordedService, key: string): Promise<void> {
  const call = async (work: string, method: string, path: string, body?: object) => {
    const headers = { ...basic(key), ...(body && { 'Content-Type': 'application/json' }) };
    const sent = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await recorded.send(work, sent);
    expect([method, path, answer.status]).toEqual([method, path, 200]);
    return answer;
  };
  const idOf = (answer: Answer) => String(envelopeOf(answer).results[0]?.id);
  const one = `${PATH}/${idOf(await call(`POST ${PATH}`, 'POST', PATH, { url: URL }))}`;
  const named = `${PATH}/{id}`;
  await call(`GET ${PATH}`, 'GET', PATH);
  await call(`GET ${named}`, 'GET', one);
  await call(`GET ${named}/secret`, 'GET', `${one}/secret`);
  await call(`POST ${named}/rotate`, 'POST', `${one}/rotate`);
  await call(`POST ${named}/test`, 'POST', `${one}/test`);
  await call('deliveries of webhooks', 'POST', `${one}/replay`, {});
  const deliveries = 'SELECT webhook_id FROM webhook_deliveries';
  const delivered = () => recorded.ledger.rows(deliveries);
  await until('a delivery', async () => (await delivered()).length > 0);
  await call('deliveries of webhooks', 'PATCH', one, { state: 'paused' });
  const [failing] = await delivered();
  await call(`POST ${named}/skip`, 'POST', `${one}/skip`, { webhook_id: failing?.webhook_id });
  await call(`PATCH ${named}`, 'PATCH', one, { state: 'paused', url: URL });
  await call(`POST ${named}/replay`, 'POST', `${one}/replay`, { from: '2025-06-01' });
  await call(`DELETE ${named}`, 'DELETE', one);
}

/**
 * Manages webhooks with commands.
 * @param mustRun runs a command and returns its output
 */
export async function manageWebhooks(
  mustRun: (args: readonly string[]) => Promise<string>,
): Promise<void> {
  const add = ['webhooks', 'add', '--vendor', String(VENDOR), '--url', URL, '--json'];
  const { id } = JSON.parse(await mustRun(add)) as { id: number };
  await mustRun(['webhooks', 'list']);
  await mustRun(['webhooks', 'list', '--vendor', String(VENDOR)]);
  for (const command of ['show', 'secret', 'rotate', 'replay', 'pause', 'resume', 'remove']) {
    await mustRun(['webhooks', command, String(id)]);
  }
}

/** Manages webhooks on the account pages. */
export async function useWebhookPages(visitor: Visitor): Promise<void> {
  const path = '/account/webhooks';
  await visitor.get(path);
  const made = await visitor.post(path, { url: URL, from: 'now' });
  const own = String(made.headers.location).split('?')[0] ?? '';
  expect((await visitor.get(own)).status).toBe(200);
  expect((await visitor.post(`${own}/secret`)).status).toBe(200);
  for (const [change, fields] of [
    ['pause', {}],
    ['replay', { from: '2025-06-01' }],
    ['change', { url: URL, max_bytes: '100000' }],
    ['rotate', {}],
    ['remove', {}],
  ] as const) {
    expect((await visitor.post(`${own}/${change}`, fields)).status).toBe(303);
  }
}
