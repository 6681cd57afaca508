/** Transactions with texts that are too long to be in memory together. */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LARGE_TRACKING } from '../../support/builders/large-sale.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { basic, envelopeOf, plainText, type Answer } from '../../support/http/http.js';
import { readingSlowly } from '../../support/http/slow-reader.js';
import { rowsOfCsv } from '../../support/oracles/csv.js';
import { rowsOfHyparquet } from '../../support/oracles/parquet.js';
import { statesOf } from '../../support/processes/gauges.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';

/** Together, these have more bytes than the buffers of a connection can hold. */
const LARGE = 60;
const SMALL = 30;
const MEBIBYTE = 1_048_576;
const LIST = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-12-31';
let service: TestService;
let key: string;
let masked: string;
beforeAll(async () => {
  service = await TestService.start({ ANSWER_MEMORY_MB: '16' });
  await service.import([user(1), user(2), product(10, 1), product(20, 2)]);
  for (let at = 0; at < LARGE; at += 10) {
    await service.import(
      Array.from({ length: 10 }, (_, index) => sale(at + index, LARGE_TRACKING)),
    );
  }
  await service.import(Array.from({ length: SMALL }, (_, index) => sale(LARGE + index, {})));
  await service.import([transaction('OTHER', 20)]);
  key = await service.key(1);
  masked = await service.key(1, 'masked');
});
afterAll(() => service.stop());

/** Returns a sale. The dates of large and small sales alternate. */
function sale(number: number, tracking: Record<string, string>) {
  const minute = String((number * 7) % 60).padStart(2, '0');
  const sale_date = `2025-03-01T10:${minute}:00Z`;
  return transaction(`T-${number}`, 10, { sale_date, tracking });
}

type Shown = Readonly<Record<string, unknown>>;

async function listed(query: string, by = key): Promise<readonly Shown[]> {
  return envelopeOf(await service.get(`${LIST}&${query}`, by)).results;
}

/** Returns the transactions from single answers, with a hash in place of the texts. */
async function singly(by: string): Promise<string[]> {
  const shown: Shown[] = [];
  for (let number = 0; number < LARGE + SMALL; number += 1) {
    const { results } = await service.envelope(`/v3.0/transactions/T-${number}`, by);
    shown.push(...results);
  }
  return inShort(shown).sort();
}

/** Returns texts short enough to be shown by a failed comparison. */
function inShort(rows: readonly Shown[]): string[] {
  return rows.map((row) => `${String(row.transaction_id)} ${hash('sha1', JSON.stringify(row))}`);
}

describe('a page of large transactions', () => {
  it.each(['full', 'masked'])('has all of them, for %s access', async (access) => {
    const by = access === 'full' ? key : masked;
    const rows = await listed('page_size=200', by);
    expect(rows).toHaveLength(LARGE + SMALL);
    expect(inShort(rows).sort()).toEqual(await singly(by));
    const dates = rows.map(({ sale_date }) => String(sale_date));
    expect(dates).toEqual([...dates].sort().reverse());
    // Pages that fit into memory have the same transactions, in the same order.
    for (const index of [0, 1, (LARGE + SMALL) / 5 - 1]) {
      const part = await listed(`page_size=5&page_index=${index}`, by);
      expect(inShort(part)).toEqual(inShort(rows.slice(5 * index, 5 * index + 5)));
    }
  });

  it('is compressed, has an ETag, and no body where none is asked for', async () => {
    const path = `${LIST}&page_size=200`;
    const plain = await service.get(path, key);
    for (const coding of ['gzip', 'br']) {
      const coded = await service.get(path, key, { 'Accept-Encoding': coding });
      expect(coded.headers['content-encoding']).toBe(coding);
      expect(plainText(coded) === plain.text).toBe(true);
    }
    const { etag = '' } = plain.headers;
    expect(etag).not.toBe('');
    const known = await service.get(path, key, { 'If-None-Match': etag });
    expect(known).toMatchObject({ status: 304, text: '' });
    const head = await service.send({ method: 'HEAD', path, headers: basic(key) });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.etag).toBe(etag);
  });
});

describe('changes of large transactions', () => {
  it('end a page early, and none is missing', async () => {
    const sizes: number[] = [];
    const found: Shown[] = [];
    for (let after = '0', hasMore = true; hasMore;) {
      const answer = await service.get(`/ledger/v1/changes?limit=1000&after=${after}`, key);
      const { meta, results } = envelopeOf(answer) as unknown as {
        readonly meta: { readonly cursor: string; readonly has_more: boolean };
        readonly results: readonly { readonly transaction?: Shown }[];
      };
      sizes.push(answer.body.length);
      for (const { transaction: shown } of results) {
        if (shown !== undefined) found.push(shown);
      }
      after = meta.cursor;
      hasMore = meta.has_more;
    }
    expect(inShort(found).sort()).toEqual(await singly(key));
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(2.5 * MEBIBYTE);
  });
});

describe('memory of answers', () => {
  it('counts until their client has them, and more of an account waits, others do not', async () => {
    const path = `${LIST}&page_size=200`;
    const other = await service.key(2);
    const readers = await Promise.all([1, 2].map(() => readingSlowly(service.port, path, key)));
    await until('the memory of two answers', async () => (await taken()) === 8 * MEBIBYTE);
    const waiting = service.get(path, key);
    await until('a third one waits', async () => (await waits()).waited === 1);
    expect(envelopeOf(await service.get(LIST, other)).results).toHaveLength(1);
    readers[0]?.leave();
    expect(envelopeOf(await waiting).results).toHaveLength(LARGE + SMALL);
    readers[1]?.leave();
    await until('nothing is being sent', async () => (await taken()) === 0);
    expect(await waits()).toEqual({ waited: 1, refused: 0 });
  });
});

describe('exports of large transactions', () => {
  it.each(['full', 'masked'])('have all of them, for %s access', async (access) => {
    const by = access === 'full' ? key : masked;
    const rows = await listed('page_size=200', by);
    const ids = rows.map(({ transaction_id }) => transaction_id);
    const lines = (await exported('ndjson', by)).text.trim().split('\n');
    const objects = lines.map((line) => JSON.parse(line) as Shown);
    expect(inShort(objects)).toEqual(inShort(rows));
    const csv = rowsOfCsv((await exported('csv', by)).text);
    expect(csv.map(({ transaction_id }) => transaction_id)).toEqual(ids);
    const parquet = await rowsOfHyparquet((await exported('parquet', by)).body);
    expect(parquet.map(({ transaction_id }) => transaction_id)).toEqual(ids);
  });
});

function waits(): Promise<Record<string, number>> {
  return statesOf(service, 'answer_memory_waits_total');
}

async function taken(): Promise<number> {
  return (await statesOf(service, 'answer_memory_bytes')).taken ?? 0;
}

function exported(format: string, by: string): Promise<Answer> {
  return service.get(`/ledger/v1/transactions.${format}`, by);
}
