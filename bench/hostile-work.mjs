// Runs the vendor that works while others attack: pages, single transactions, changes, records,
// exports and webhooks.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from './measure.mjs';
import { saleOf, VENDOR } from './hostile-ledger.mjs';

/** Milliseconds between two calls of a kind. */
const EVERY_MS = { page: 100, single: 500, changes: 1_000, record: 500, export: 20_000 };
const PAGES = 25;
const NDJSON = 'application/x-ndjson';

export class Work {
  #agent = new Agent({ keepAlive: true });
  #isOver = false;
  #loops = [];
  #sent = new Map();
  #renew() {
    this.times = {};
    this.refused = 0;
  }

  constructor(origin, keys, receiver) {
    this.origin = origin;
    this.key = keys[VENDOR.working];
    this.source = keys[`source${VENDOR.working}`];
    receiver.onDelivery = (path, body) => this.#onDelivery(body);
    this.#renew();
  }

  start() {
    this.#loops = Object.keys(EVERY_MS).map(async (kind) => {
      for (let number = 0; !this.#isOver; number += 1) {
        await this.#call(kind, number);
        await wait(EVERY_MS[kind]);
      }
    });
  }

  async stop() {
    this.#isOver = true;
    await Promise.all(this.#loops);
    this.#agent.destroy();
  }

  /**
   * @returns the measurements since the last call, in milliseconds by kind; `all` leaves exports
   * and deliveries out
   */
  figures() {
    const { times, refused } = this;
    const answers = Object.entries(times).filter(
      ([kind]) => !['export', 'delivery'].includes(kind),
    );
    const figures = Object.entries(times).map(([kind, all]) => [kind, summary(all)]);
    const all = summary(answers.flatMap(([, each]) => each));
    const undelivered = this.#sent.size;
    this.#renew();
    return { ...Object.fromEntries(figures), all, refused, undelivered };
  }

  #call(kind, number) {
    switch (kind) {
      case 'page':
        return this.#ask(
          kind,
          `/v3.0/transactions?start_date=2025-01-01&end_date=2025-12-31&page_size=200&page_index=${number % PAGES}`,
        );
      case 'single':
        return this.#ask(kind, `/v3.0/transactions/${VENDOR.working}-first-${number % 5_000}`);
      case 'changes':
        return this.#ask(kind, `/ledger/v1/changes?limit=1000&after=${(number % 5) * 1_000}`);
      case 'export':
        return this.#ask(kind, '/ledger/v1/transactions.ndjson');
      default:
        return this.#send(kind, number);
    }
  }

  #send(kind, number) {
    const record = saleOf(VENDOR.working, `new-${number}`, number);
    this.#sent.set(record.transaction_id, performance.now());
    return this.#ask(kind, '/ledger/v1/records', JSON.stringify(record));
  }

  #ask(kind, path, body) {
    const begun = performance.now();
    return new Promise((resolve) => {
      const authorization = body === undefined ? this.key : this.source;
      const options = {
        agent: this.#agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization, 'content-type': NDJSON },
      };
      const ended = (status) => {
        this.#note(kind, performance.now() - begun);
        if (status !== 200) {
          this.refused += 1;
          console.log(`${kind}: ${status}`);
        }
        resolve();
      };
      const sent = request(this.origin + path, options, (response) => {
        text(response).then(
          () => ended(response.statusCode),
          ({ code }) => ended(code),
        );
      });
      sent.once('error', ({ code }) => ended(code));
      sent.end(body);
    });
  }

  #onDelivery(body) {
    for (const [, id] of body.matchAll(/"transaction_id":"(\d+-new-\d+)"/g)) {
      const sentAt = this.#sent.get(id);
      if (sentAt === undefined) continue;
      this.#sent.delete(id);
      this.#note('delivery', performance.now() - sentAt);
    }
  }

  #note(kind, milliseconds) {
    (this.times[kind] ??= []).push(milliseconds);
  }
}

function summary(milliseconds) {
  const sorted = milliseconds.toSorted((left, right) => left - right);
  const at = (share) => Math.round(quantile(sorted, share));
  return {
    calls: sorted.length,
    p50: at(0.5),
    p99: at(0.99),
    most: Math.round(sorted.at(-1) ?? NaN),
  };
}
