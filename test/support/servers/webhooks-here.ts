import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { product, transaction, user } from '../builders/ledger-records.js';
import { TestLedger } from '../builders/test-ledger.js';
import { basic, envelopeOf, type Answer } from '../http/http.js';
import { until } from './running-service.js';
import { TestService } from './service.js';
import { trustHere } from './trusted-here.js';
import { WebhookReceiver } from './webhook-receiver.js';

/**
 * A service in this process, whose clock a test can set, and a receiver. The receiver accepts all
 * calls, except for paths that begin with `/held`, which the test answers itself.
 */
export class WebhooksHere {
  readonly receiver = new WebhookReceiver();
  /** Calls that the test responds to, oldest first. */
  readonly held: { readonly path: string; readonly response: ServerResponse }[] = [];
  service!: TestService;
  ledger!: TestLedger;
  private settings: Readonly<Record<string, string>> = {};
  private stopTrusting = (): void => undefined;
  private key = '';
  private sales = 0;

  async start(): Promise<void> {
    this.settings = await this.receiver.start();
    this.stopTrusting = trustHere(this.settings);
    this.service = await TestService.start(this.settings);
    this.ledger = TestLedger.on(this.service.database);
    await this.service.import([user(1), product(10, 1)]);
    this.key = await this.service.key(1);
  }

  /** Starts the service again on the same database. */
  async restart(): Promise<void> {
    this.service = await TestService.on(this.service.database, this.settings);
  }

  async stop(): Promise<void> {
    await this.ledger.close();
    await this.service.stop();
    this.stopTrusting();
    this.receiver.stop();
  }

  begin(): void {
    this.receiver.received.length = 0;
    this.held.length = 0;
    this.receiver.behaviour = ({ path }, response) => {
      if (path.startsWith('/held')) this.held.push({ path, response });
      else response.writeHead(204).end();
    };
  }

  async end(): Promise<void> {
    this.receiver.secrets = [];
    for (const { response } of this.held) response.destroy();
    await this.ledger.run('DELETE FROM webhook_endpoints');
    await this.ledger.run('DELETE FROM webhook_deliveries');
    expect(this.receiver.faults.splice(0)).toEqual([]);
  }

  urlOf(path: string): string {
    return this.receiver.url.replace('/hook', path);
  }

  ask(method: string, path: string, body: object = {}): Promise<Answer> {
    const headers = { ...basic(this.key), 'Content-Type': 'application/json' };
    const request = { method, path: `/ledger/v1/webhooks${path}`, headers };
    return this.service.send({ ...request, body: JSON.stringify(body) });
  }

  /** @returns the only result of a call that must succeed */
  async call(method: string, path: string, body: object = {}) {
    const answer = await this.ask(method, path, body);
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    return envelopeOf(answer).results[0] ?? {};
  }

  /** @returns the id and the secret of a new endpoint */
  async endpointAt(path: string, changes: object = {}) {
    const wanted = { url: this.urlOf(path), from: 'now', ...changes };
    const { id, secret } = await this.call('POST', '', wanted);
    return { id: Number(id), secret: String(secret) };
  }

  /**
   * Adds sales of the vendor, so that there are changes to send.
   * @returns their ids
   */
  async sell(count = 1, changes: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
    const first = this.sales;
    this.sales += count;
    const ids = Array.from({ length: count }, (_, index) => `sale-${first + index}`);
    await this.service.import(ids.map((id) => transaction(id, 10, changes)));
    return ids;
  }

  receivedAt(path: string) {
    return this.receiver.received.filter((each) => each.path === path);
  }

  async stored(id: number) {
    const [row] = await this.ledger.rows(`SELECT * FROM webhook_endpoints WHERE id = ${id}`);
    return row ?? {};
  }

  deliveriesOf(id: number) {
    const of = `endpoint_id = ${id} ORDER BY number`;
    return this.ledger.rows(`SELECT * FROM webhook_deliveries WHERE ${of}`);
  }

  /** Waits until the result of a delivery is stored. */
  async untilDelivered(id: number, count = 1): Promise<void> {
    await until('the delivery', async () => (await this.deliveriesOf(id)).length === count);
  }
}

/** Shares one service and one receiver among the tests of a file. */
export function useWebhooksHere(): WebhooksHere {
  const hooks = new WebhooksHere();
  beforeAll(() => hooks.start());
  beforeEach(() => {
    hooks.begin();
  });
  afterEach(() => hooks.end());
  afterAll(() => hooks.stop());
  return hooks;
}
