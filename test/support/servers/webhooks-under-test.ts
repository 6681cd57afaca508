import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { product, user } from '../builders/ledger-records.js';
import { TestLedger } from '../builders/test-ledger.js';
import { basic, envelopeOf, send, type Answer } from '../http/http.js';
import { endAll, RunningService } from './running-service.js';
import { WebhookReceiver, type Behaviour } from './webhook-receiver.js';

/**
 * A service that sends to a receiver, and a ledger of a few vendors. Service and receiver are
 * restarted for each test.
 */
export class WebhooksUnderTest {
  ledger!: TestLedger;
  receiver!: WebhookReceiver;
  settings!: Readonly<Record<string, string>>;
  service!: RunningService;
  /** Behavior of the receiver by path. Calls of other paths are accepted. */
  readonly behaviours = new Map<string, Behaviour>();
  private readonly keys = new Map<number, string>();

  /** @returns the id of an endpoint at the receiver */
  async endpointOf(
    vendor: number,
    path: string,
    from = 'beginning',
    filter: object = {},
  ): Promise<number> {
    return this.endpointTo(vendor, this.receiver.url.replace('/hook', path), from, filter);
  }

  /** @returns the id of the endpoint */
  async endpointTo(
    vendor: number,
    url: string,
    from = 'beginning',
    filter: object = {},
  ): Promise<number> {
    const answer = await this.call(vendor, 'POST', '', { url, from, ...filter });
    return Number(envelopeOf(answer).results[0]?.id);
  }

  /** @param path the path below `/ledger/v1/webhooks`, such as `/7/replay` */
  call(vendor: number, method: string, path: string, body: object): Promise<Answer> {
    return send(this.service.port, {
      method,
      path: `/ledger/v1/webhooks${path}`,
      body: JSON.stringify(body),
      headers: { ...basic(this.keys.get(vendor) ?? ''), 'Content-Type': 'application/json' },
    });
  }

  /** Returns the deliveries of an endpoint, oldest first. */
  deliveriesOf(id: number) {
    const of = `endpoint_id = ${id} ORDER BY number`;
    return this.ledger.rows(`SELECT status, problem, answer FROM webhook_deliveries WHERE ${of}`);
  }

  /** Creates the ledger. Vendor 1 has product 10, vendor 2 product 20, and so on. */
  async createLedger(vendors: readonly number[]): Promise<void> {
    this.ledger = await TestLedger.create();
    await this.ledger.mustImport(vendors.flatMap((id) => [user(id), product(id * 10, id)]));
    for (const id of vendors) this.keys.set(id, await this.ledger.key(id));
  }

  async start(): Promise<void> {
    this.receiver = new WebhookReceiver();
    this.settings = await this.receiver.start();
    this.behaviours.clear();
    this.receiver.behaviour = (received, response) => {
      const behaviour = this.behaviours.get(received.path);
      if (behaviour === undefined) response.writeHead(204).end();
      else behaviour(received, response);
    };
    this.service = await RunningService.start(this.ledger, 1, this.settings);
  }

  async stop(): Promise<void> {
    await endAll();
    this.receiver.stop();
    await this.ledger.run('DELETE FROM webhook_deliveries');
    await this.ledger.run('DELETE FROM webhook_endpoints');
  }
}

/** Starts and stops the service and the receiver around the tests of a file. */
export function useWebhooks(vendors: readonly number[]): WebhooksUnderTest {
  const webhooks = new WebhooksUnderTest();
  beforeAll(() => webhooks.createLedger(vendors));
  beforeEach(() => webhooks.start());
  afterEach(() => webhooks.stop());
  afterAll(() => webhooks.ledger.drop());
  return webhooks;
}
