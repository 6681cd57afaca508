import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProgram } from '../../../scripts/find-program.mjs';
import { parseLimitWindows } from '../../../src/platform/limits/limit-windows.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import {
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { resultOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';

const [SECOND_MS, HOUR_MS, DAY_MS] = [1_000, 3_600_000, 86_400_000];
const NOW = Date.now();
const PROGRAMS = { sh: 'sh', mjs: process.execPath, py: 'python3', php: 'php' } as const;
type Language = keyof typeof PROGRAMS;
/** In CI, the test runs every language. */
const isComplete = process.env.CI === 'true';
const LANGUAGES = (['sh', 'mjs', 'py', 'php'] as const).filter(
  (language) => isComplete || language === 'mjs' || findProgram([PROGRAMS[language]]) !== null,
);
const TOPICS = [
  'first-call',
  'error',
  'client',
  'paging',
  'etag',
  'queries',
  'figures',
  'export',
  'changes',
  'reasons',
  'webhook',
  'feed',
  'ranges',
  'send',
];
const FILES = TOPICS.flatMap((topic) => ['sh', 'mjs', 'py', 'php'].map((end) => `${topic}.${end}`));
const JUNE = 201;
const TODAY = new Date(NOW);
/** The first and the last day of last month, of which the guide speaks. */
const [FIRST_DAY, LAST_DAY] = [
  [TODAY.getUTCMonth() - 1, 1],
  [TODAY.getUTCMonth(), 0],
].map(([month = 0, day]) =>
  new Date(Date.UTC(TODAY.getUTCFullYear(), month, day)).toISOString().slice(0, 10),
);
/** The number of changes of another vendor, which is more than a page. */
const OTHERS = 1_001;

let service: TestService;
let folder: string;
let page: string;
/** The sold transactions, oldest first, as the feed shows them. */
const sold: string[] = [];

beforeAll(async () => {
  service = await TestService.start({ THROTTLE_LIMITS: '100000/1h' });
  await service.import([
    user(1),
    product(10, 1),
    user(2),
    product(20, 2),
    ...Array.from({ length: OTHERS - 1 }, (_, at) => transaction(`OTHER-${at}`, 20)),
  ]);
  await sell(
    Array.from(
      { length: JUNE },
      (_, at) => [`JUNE/${at}`, Date.UTC(2025, 5, 2, 0, 0, at)] as const,
    ),
  );
  folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-guide-'));
  const { text } = await service.send({ path: '/docs/guide' });
  expect(text).toContain(`start_date=${FIRST_DAY}&amp;end_date=${LAST_DAY}&amp;page_size=1`);
  page = inJune(text);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

/** The sales of the test stay in June 2025, far from those that depend on today. */
function inJune(text: string): string {
  return text
    .replaceAll(String(FIRST_DAY), '2025-06-01')
    .replaceAll(String(LAST_DAY), '2025-06-30');
}

async function sell(sales: readonly (readonly [key: string, at: number])[], more: object = {}) {
  await service.import(
    sales.map(([key, time]) => transaction(key, 10, { sale_date: dateTime(time), ...more })),
  );
  sold.push(...sales.map(([key, time]) => `${dateTime(time)} ${key} 47.00`));
}

function dateTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}

/** Returns the text of a snippet, as the page shows it. */
function shown(file: string): string {
  const [, html] =
    new RegExp(`<code id="${file.replace('.', '-')}">(.*?)</code>`, 's').exec(page) ?? [];
  if (html === undefined) throw new Error(`the guide does not show ${file}`);
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

/** A reader saves every snippet of a language from the page. */
class Reader {
  private readonly folder: string;

  constructor(
    private readonly language: Language,
    private readonly key: string,
    name = 'reader',
  ) {
    this.folder = join(folder, `${name}-${language}`);
    mkdirSync(this.folder);
    for (const topic of TOPICS) {
      this.write(`${topic}.${language}`, shown(`${topic}.${language}`));
    }
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  has(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  /** @param port the port of the service, or of a proxy in front of it */
  async run(
    topic: string,
    port = service.port,
  ): Promise<{ readonly lines: string[]; readonly stderr: string }> {
    const { stdout, stderr } = await promisify(execFile)(
      PROGRAMS[this.language],
      [`${topic}.${this.language}`],
      {
        cwd: this.folder,
        env: {
          PATH: process.env.PATH,
          TZ: process.env.TZ,
          BASE_URL: `http://127.0.0.1:${port}`,
          API_KEY: this.key,
        },
      },
    );
    return {
      lines: stdout
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
      stderr,
    };
  }
}

it.each(FILES)('the guide shows %s, and serves it as a file', async (file) => {
  const answer = await service.send({ path: `/docs/guide/${file}` });
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(inJune(answer.text)).toBe(shown(file));
});

describe.each(LANGUAGES)('the snippets of the guide in %s', (language) => {
  const order = LANGUAGES.indexOf(language);
  let reader: Reader;
  beforeAll(async () => {
    reader = new Reader(language, await service.key(1));
  });

  it('make a first call', async () => {
    const { lines } = await reader.run('first-call');
    const newest = `JUNE/${JUNE - 1}`;
    if (language === 'sh') {
      expect(JSON.parse(lines.join(''))).toMatchObject({
        meta: { total_count: JUNE },
        results: [{ transaction_id: newest }],
      });
    } else {
      expect(lines).toEqual([`${JUNE} transactions`, `2025-06-02T00:03:20+00:00 ${newest} 47.00`]);
    }
  });

  it('show an error', async () => {
    const { lines } = await reader.run('error');
    expect(lines).toEqual([
      expect.stringMatching(/^X-Request-Id: [\w.-]+$/i),
      '400 4001 Invalid parameters: end_date must be on or after start_date.',
    ]);
  });

  it('page through a list', async () => {
    const { lines } = await reader.run('paging');
    expect(lines).toEqual(Array.from({ length: JUNE }, (_, at) => `JUNE/${JUNE - 1 - at} 40.00`));
  });

  it('walk through the pages of a query', async () => {
    const { lines } = await reader.run('queries');
    expect(lines).toEqual(Array.from({ length: JUNE }, (_, at) => `JUNE/${JUNE - 1 - at} 47.00`));
  });

  it('get 304 if nothing changed', async () => {
    const { lines } = await reader.run('etag');
    expect(lines).toEqual([`200 ${JUNE}`, `304 ${JUNE}`]);
  });

  it('show figures of each product and month', async () => {
    const { lines } = await reader.run('figures');
    expect(lines).toEqual([`2025-06-01 10 ${JUNE} ${JUNE * 47}.00`]);
  });

  it('export everything, then bring every change', async () => {
    const follower = new Reader(language, await service.key(1, 'read'), 'follower');
    const old = [`YEARS-${language}`, NOW - 900 * DAY_MS + SECOND_MS * order] as const;
    await sell([old]);
    const { lines } = await follower.run('export');
    const cursor = follower.read('cursor.txt');
    expect(lines).toEqual([`${sold.length} transactions, cursor ${cursor}`]);
    const exported = follower.read('transactions.ndjson').trimEnd().split('\n');
    expect(exported.map(soldOf).sort()).toEqual([...sold].sort());
    expect((await follower.run('changes')).lines).toEqual([]);
    follower.write('reasons.txt', cursor);
    sold.pop();
    await sell([old], { status: 'charged_back' });
    const name = `Written in ${language}`;
    await service.import([product(10, 1, { name })]);
    const changes = (await follower.run('changes')).lines.map(changeOf);
    expect(changes).toEqual([
      ['transaction', expect.objectContaining({ transaction_id: old[0], status: 'chargeback' })],
      ['product', { product_id: 10, product_name: name }],
    ]);
    expect((await follower.run('changes')).lines).toEqual([]);
    expect((await follower.run('reasons')).lines).toEqual([`charged_back ${old[0]}`]);
    const preKey = `PRE-${language}`;
    await service.import([recurringPayment(preKey, 10, { id: 1_000 + order, status: 'CANCELED' })]);
    expect((await follower.run('reasons')).lines).toEqual([`canceled ${preKey}`]);
    expect((await follower.run('reasons')).lines).toEqual([]);
  });

  it('notice an export that a proxy cut off and ended as if whole', async () => {
    const proxy = createServer((_, response) => {
      response.writeHead(200, { 'X-Ledger-Count': '3', 'X-Ledger-Cursor': '7' });
      response.end('{"transaction_id":"1"}\n{"transaction_id":"2"}\n');
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    try {
      const follower = new Reader(language, 'key', 'cut-off');
      const run = follower.run('export', (proxy.address() as AddressInfo).port);
      await expect(run).rejects.toThrow('2 of 3 transactions: run it again');
      expect(follower.has('cursor.txt')).toBe(false);
    } finally {
      proxy.close();
    }
  });

  it('bring everything without an export, page by page', async () => {
    const other = new Reader(language, await service.key(2, 'read'), 'other');
    const { lines } = await other.run('changes');
    expect(new Set(lines.map(changeOf).map(([, shown]) => JSON.stringify(shown))).size).toBe(
      OTHERS,
    );
    expect((await other.run('changes')).lines).toEqual([]);
  });

  it('follow the feed: everything, then nothing, then what is new', async () => {
    expect((await reader.run('feed')).lines).toEqual([...sold].sort());
    expect((await reader.run('feed')).lines).toEqual([]);
    await sell([[`NEW-${language}`, NOW - HOUR_MS + SECOND_MS * order]]);
    expect((await reader.run('feed')).lines).toEqual(sold.slice(-1));
    reader.write('place.txt', 'never-sold');
    const { lines, stderr } = await reader.run('feed');
    expect(lines).toEqual([...sold].sort());
    expect(stderr).toContain('The place is unknown: from the start.');
  });

  it('read overlapping ranges, including the refund of an old sale', async () => {
    const sale = [`OLD-${language}`, NOW - 100 * DAY_MS + SECOND_MS * order] as const;
    await sell([sale]);
    const [kept, refunded] = numbersIn((await reader.run('ranges')).lines);
    sold.pop();
    await sell([sale], { status: 'refunded', refund: refund(dateTime(NOW - DAY_MS)) });
    const { lines } = await reader.run('ranges');
    expect(numbersIn(lines)).toEqual([Number(kept) + 1, Number(refunded) + 1]);
  });

  it('send records, again without effect, and keep those that were rejected', async () => {
    const sender = new Reader(language, await service.sourceKey(null), 'sender');
    const id = 1_000 + order;
    const [seller, offer, bad] = [user(id), product(id, id), product(id + 10, 999)].map((record) =>
      JSON.stringify(record),
    );
    sender.write('sales.ndjson', `${[seller, bad, offer].join('\n')}\n`);
    const { lines, stderr } = await sender.run('send');
    expect(lines).toEqual([`${id} inserted`, `${id + 10} rejected`, `${id} inserted`]);
    expect(stderr).toContain(`${id + 10}: vendor_id: `);
    expect(sender.read('rejected.ndjson')).toBe(`${bad ?? ''}\n`);
    expect((await sender.run('send')).lines).toEqual([
      `${id} unchanged`,
      `${id + 10} rejected`,
      `${id} unchanged`,
    ]);
  });

  it('create a webhook endpoint for some of the changes', async () => {
    const key = await service.key(1);
    const { lines } = await new Reader(language, key, 'webhook').run('webhook');
    const [endpoint] = (await service.envelope('/ledger/v1/webhooks', key)).results;
    expect(endpoint).toMatchObject({
      url: 'https://shop.example/hook',
      reasons: ['refunded', 'charged_back', 'canceled'],
    });
    const id = Number(endpoint?.id);
    const secret = await resultOf(service, `/ledger/v1/webhooks/${id}/secret`, key);
    if (language === 'sh') expect(JSON.parse(lines.join(''))).toMatchObject({ results: [secret] });
    else expect(lines).toEqual([`${id} ${String(secret.secret)}`]);
    expect((await service.delete(`/ledger/v1/webhooks/${id}`, key)).status).toBe(200);
  });

  it('send nothing twice that the service will not take', async () => {
    const sender = new Reader(language, await service.key(1), 'not-a-source');
    sender.write('sales.ndjson', `${JSON.stringify(user(1))}\n`);
    await expect(sender.run('send')).rejects.toMatchObject({
      stderr: expect.stringContaining('4030') as unknown,
    });
  });

  it('end with the reason if the service rejects the request', async () => {
    const stranger = new Reader(language, 'no-key', 'stranger');
    await expect(stranger.run('paging')).rejects.toMatchObject({
      stderr: expect.stringContaining('4011 Invalid API key') as unknown,
    });
  });
});

describe('a 429', () => {
  /** The window is longer than the start of a program on a busy machine. */
  const LIMIT = parseLimitWindows('1/12s');
  const WAITED = /(?:429: waiting|trying again in|Will retry in) (?:[1-9]|1[0-2]) s/;

  it('is waited out as long as Retry-After says by the snippets and the senders, in every language', async () => {
    const applications = service.app.get(ApiApplicationsService);
    const paging = LANGUAGES.map(async (language) => {
      const { key, application } = await applications.createApplication(1, 'slow', null);
      await applications.setLimits(application.id, LIMIT);
      const { lines, stderr } = await new Reader(language, key, 'slow').run('paging');
      expect(lines).toHaveLength(JUNE);
      expect(stderr).toMatch(WAITED);
    });
    const sending = LANGUAGES.map(async (language) => {
      const { key, application } = await applications.createSource(null, 'slow', null);
      await applications.setLimits(application.id, LIMIT);
      const sender = new Reader(language, key, 'slow-sender');
      sender.write('sales.ndjson', `${JSON.stringify(user(1))}\n`);
      expect((await service.get('/ledger/v1', key)).status).toBe(200);
      const { lines, stderr } = await sender.run('send');
      expect(lines).toEqual(['1 unchanged']);
      expect(stderr).toMatch(WAITED);
    });
    await Promise.all([...paging, ...sending]);
  });
});

describe('what else the guide says', () => {
  const [VENDOR, PRODUCT] = [3, 30];
  let key: string;
  beforeAll(async () => {
    await service.import([
      user(VENDOR),
      product(PRODUCT, VENDOR),
      recurringPayment('PRE/1', PRODUCT),
      transaction('FIRST', PRODUCT, { pre_key: 'PRE/1' }),
      transaction('ONLY', PRODUCT),
    ]);
    key = await service.key(VENDOR);
  });

  it('a preKey is in the details of a transaction, and in the changes', async () => {
    const details = (id: string) => resultOf(service, `/v2.1/transaction/details/${id}`, key);
    expect((await details('FIRST')).pre_key).toBe('PRE/1');
    expect((await details('ONLY')).pre_key).toBeNull();
    const kinds = '/ledger/v1/changes?kinds=recurring_payment';
    const { results } = await service.envelope(kinds, key);
    const shown = await resultOf(service, '/v2.0/recurring_payment/PRE%2F1', key);
    expect(shown.preKey).toBe('PRE/1');
    expect(results).toEqual([expect.objectContaining({ recurring_payment: shown })]);
  });
});

/** Returns a line of an export in the form of the feed. */
function soldOf(line: string): string {
  const { sale_date, transaction_id, amount } = JSON.parse(line) as Record<string, string>;
  return [sale_date, transaction_id, amount].join(' ');
}

/** Parses a line such as `product {"product_id":10}`. */
function changeOf(line: string): [kind: string, shown: unknown] {
  const at = line.indexOf(' ');
  return [line.slice(0, at), JSON.parse(line.slice(at))];
}

/** Parses a line such as `12 kept, 3 with a refund`. */
function numbersIn([line = '']: readonly string[]): number[] {
  return (line.match(/\d+/g) ?? []).map(Number);
}
