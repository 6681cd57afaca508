import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProgram } from '../../../scripts/find-program.mjs';
import { parseLimitWindows } from '../../../src/common/limit-windows.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const [SECOND_MS, HOUR_MS, DAY_MS] = [1_000, 3_600_000, 86_400_000];
const NOW = Date.now();
const PROGRAMS = { sh: 'sh', mjs: process.execPath, py: 'python3', php: 'php' } as const;
type Language = keyof typeof PROGRAMS;
/** Where nothing may be left out. */
const isComplete = process.env.CI === 'true';
const LANGUAGES = (['sh', 'mjs', 'py', 'php'] as const).filter(
  (language) => isComplete || language === 'mjs' || findProgram([PROGRAMS[language]]) !== null,
);
const TOPICS = ['first-call', 'error', 'client', 'paging', 'etag', 'feed', 'ranges', 'send'];
const FILES = TOPICS.flatMap((topic) => ['sh', 'mjs', 'py', 'php'].map((end) => `${topic}.${end}`));
const JUNE = 201;

let service: TestService;
let folder: string;
let page: string;
/** What was sold, oldest first, as the feed tells it. */
const sold: string[] = [];

beforeAll(async () => {
  service = await TestService.start({ THROTTLE_LIMITS: '100000/1h' });
  await service.import([user(1), product(10, 1)]);
  await sell(
    Array.from(
      { length: JUNE },
      (_, at) => [`JUNE/${at}`, Date.UTC(2025, 5, 2, 0, 0, at)] as const,
    ),
  );
  folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-guide-'));
  page = (await service.send({ path: '/docs/guide' })).text;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

async function sell(sales: readonly (readonly [key: string, at: number])[], more: object = {}) {
  await service.import(
    sales.map(([key, time]) => transaction(key, 10, { sale_date: dateTime(time), ...more })),
  );
  sold.push(...sales.map(([key, time]) => `${dateTime(time)} ${key} 47.00`));
}

function dateTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}

/** The text of a snippet, as the page shows it. */
function shown(file: string): string {
  const [, html] =
    new RegExp(`<code id="${file.replace('.', '-')}">([^<]*)</code>`).exec(page) ?? [];
  if (html === undefined) throw new Error(`the guide does not show ${file}`);
  return html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

/** A reader who saved every snippet of a language from the page. */
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

  async run(topic: string): Promise<{ readonly lines: string[]; readonly stderr: string }> {
    const { stdout, stderr } = await promisify(execFile)(
      PROGRAMS[this.language],
      [`${topic}.${this.language}`],
      {
        cwd: this.folder,
        env: {
          ...{ PATH: process.env.PATH, TZ: process.env.TZ },
          ...{ BASE_URL: `http://127.0.0.1:${service.port}`, API_KEY: this.key },
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
  expect(answer.text).toBe(shown(file));
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

  it('get 304 if nothing changed', async () => {
    const { lines } = await reader.run('etag');
    expect(lines).toEqual([`200 ${JUNE}`, `304 ${JUNE}`]);
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
      ...[`${id} unchanged`, `${id + 10} rejected`, `${id} unchanged`],
    ]);
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

it('the snippets wait out a 429 as long as Retry-After says, in every language', async () => {
  const applications = service.app.get(ApiApplicationsService);
  const readers = await Promise.all(
    LANGUAGES.map(async (language) => {
      const { key, application } = await applications.createApplication(1, 'slow', null);
      await applications.setLimits(application.id, parseLimitWindows('1/5s'));
      return new Reader(language, key, 'slow');
    }),
  );
  const runs = await Promise.all(readers.map((reader) => reader.run('paging')));
  for (const { lines, stderr } of runs) {
    expect(lines).toHaveLength(JUNE);
    expect(stderr).toMatch(/429: waiting [2-5] s|Will retry in [2-5] seconds/);
  }
});

it('the senders wait out a 429 as long as Retry-After says, in every language', async () => {
  const applications = service.app.get(ApiApplicationsService);
  await Promise.all(
    LANGUAGES.map(async (language) => {
      const { key, application } = await applications.createSource(null, 'slow', null);
      await applications.setLimits(application.id, parseLimitWindows('1/5s'));
      const sender = new Reader(language, key, 'slow-sender');
      sender.write('sales.ndjson', `${JSON.stringify(user(1))}\n`);
      await sender.run('send');
      const { lines, stderr } = await sender.run('send');
      expect(lines).toEqual(['1 unchanged']);
      expect(stderr).toMatch(/trying again in [2-5] s|Will retry in [2-5] seconds/);
    }),
  );
});

/** `12 kept, 3 with a refund`. */
function numbersIn([line = '']: readonly string[]): number[] {
  return (line.match(/\d+/g) ?? []).map(Number);
}
