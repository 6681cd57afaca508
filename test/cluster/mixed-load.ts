/**
 * Clients that read and write through the balancer like vendors' systems, and check every answer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { basic, envelopeOf, send, type Answer, type Request } from '../support/http/http.js';
import { printedRandom } from '../support/random/seed.js';
import { FIRST_DAY, LAST_DAY, type GrowingLedger, type Span } from './growing-ledger.js';
import type { WrittenRelationships } from './written-relationships.js';

const PAUSE_MS = 10;
const PAGE_SIZE = 50;
const FIRST_PAGES = 20;

export interface Asked {
  readonly what: string;
  /** Time in `performance.now()`. */
  readonly begun: number;
  readonly ended: number;
  /** Status of the answer, or null if there was none. */
  readonly status: number | null;
}

export interface Keys {
  readonly vendor: string;
  readonly affiliate: string;
}

export class MixedLoad {
  readonly asked: Asked[] = [];
  /** Incorrect answers, and failures in another form than the API defines. */
  readonly wrong: string[] = [];
  /** Keys of the subscriptions whose cancel was acknowledged. */
  readonly canceled: string[] = [];
  private over = false;
  private readonly random = printedRandom();
  private readonly clients: readonly Promise<void>[];

  /** @param cancels the keys of the subscriptions to cancel, one after another */
  constructor(
    private readonly port: number,
    private readonly keys: Keys,
    private readonly ledger: GrowingLedger,
    private readonly relationships: WrittenRelationships,
    private readonly cancels: readonly string[],
    writers: number,
  ) {
    this.clients = [
      ...[0, 1, 2].map(() => this.repeat(() => this.list())),
      ...[0, 1].map(() => this.repeat(() => this.single())),
      this.repeat(() => this.feed('latest-transactions', keys.vendor)),
      this.repeat(() => this.feed('latest-affiliates-transactions', keys.affiliate)),
      ...Array.from({ length: writers }, (_, client) => this.repeat(() => this.relate(client))),
      this.cancelAll(),
    ];
  }

  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.clients);
  }

  private async repeat(ask: () => Promise<void>): Promise<void> {
    while (!this.over) {
      await ask();
      await wait(PAUSE_MS);
    }
  }

  private async list(): Promise<void> {
    const index = this.random.integer(0, FIRST_PAGES - 1);
    const path = `/v3.0/transactions?start_date=${FIRST_DAY}&end_date=${LAST_DAY}&page_size=${PAGE_SIZE}&page_index=${index}`;
    await this.read('list', { path, headers: basic(this.keys.vendor) }, (answer, span) =>
      this.ledger.faultOfList(envelopeOf(answer), span, index, PAGE_SIZE),
    );
  }

  private async single(): Promise<void> {
    const id = this.ledger.someId();
    const path = `/v3.0/transactions/${encodeURIComponent(id)}`;
    await this.read('single', { path, headers: basic(this.keys.vendor) }, (answer, span) =>
      this.ledger.faultOfSingle(id, envelopeOf(answer).results[0] ?? null, span),
    );
  }

  private async feed(name: string, key: string): Promise<void> {
    const after = this.ledger.someIdSeen(name !== 'latest-transactions');
    if (after === null) return;
    const path = `/v2.0/${name}/${encodeURIComponent(after)}`;
    await this.read(name, { path, headers: basic(key) }, (answer, span) =>
      this.ledger.faultOfFeed(envelopeOf(answer), after, name !== 'latest-transactions', span),
    );
  }

  /** Writes a relationship, and reads it through any instance. */
  private async relate(client: number): Promise<void> {
    const { number, body } = this.relationships.next();
    const path = this.relationships.path(client);
    const written = await this.ask('PUT relationship', put(path, this.keys.vendor, body));
    this.relationships.wrote(client, number, written?.status === 200);
    await this.read('relationship', { path, headers: basic(this.keys.vendor) }, (answer) =>
      this.relationships.faultOf(client, envelopeOf(answer).results[0] ?? {}),
    );
  }

  /** Cancels the subscriptions. A cancel without an answer is sent again, as a client does. */
  private async cancelAll(): Promise<void> {
    for (const pre_key of this.cancels) {
      const cancel = put(`/v2.0/recurring_payment/${pre_key}`, this.keys.vendor, {
        status: 'CANCEL',
      });
      for (let isDone = false; !isDone;) {
        if (this.over) return;
        isDone = (await this.ask('PUT cancel', cancel))?.status === 200;
        await wait(PAUSE_MS);
      }
      this.canceled.push(pre_key);
    }
  }

  private async read(
    what: string,
    request: Request,
    faultOf: (answer: Answer, span: Span) => string | null,
  ): Promise<void> {
    const least = this.ledger.batchesSeen;
    const answer = await this.ask(what, request);
    if (answer === null || answer.status === 500) return;
    const fault = isReadable(answer)
      ? faultOf(answer, this.ledger.span(least))
      : `status ${answer.status}: ${answer.text}`;
    if (fault !== null) this.wrong.push(`${what}: ${fault}`);
  }

  /** @returns null if there was no answer */
  private async ask(what: string, request: Request): Promise<Answer | null> {
    const begun = performance.now();
    const answer = await send(this.port, request).catch(() => null);
    const status = answer?.status ?? null;
    this.asked.push({ what, begun, ended: performance.now(), status });
    if (answer?.status === 500 && !isTold(answer)) this.wrong.push(`${what}: ${answer.text}`);
    return answer;
  }
}

function put(path: string, key: string, body: object): Request {
  const headers = { ...basic(key), 'Content-Type': 'application/json' };
  return { method: 'PUT', path, headers, body: JSON.stringify(body) };
}

/**
 * Returns whether an answer can be checked. A single transaction that does not exist yet is
 * answered with 404.
 */
function isReadable({ status }: Answer): boolean {
  return status === 200 || status === 404;
}

/** Returns whether an answer is a failure in the form that the API defines. */
function isTold(answer: Answer): boolean {
  const { status, api_version } = envelopeOf(answer).meta;
  return (
    status.http_status_code === 500 &&
    status.code === 5000 &&
    answer.headers['x-api-version'] === api_version &&
    answer.text.trimEnd().endsWith('"results":[null]}')
  );
}
