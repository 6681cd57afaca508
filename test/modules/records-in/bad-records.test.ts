import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import type { Answer } from '../../support/http/http.js';
import {
  JSON_TYPE,
  linesOf,
  problemsIn,
  resultsIn,
  sendBody,
  sendRecords,
  verdictsIn,
} from '../../support/http/records.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';

const RECORD_BYTES = 256 * 1024;
const MEBIBYTE = 1024 * 1024;

let service: TestService;
let key: string;
let raw: RawConnection;
beforeAll(async () => {
  service = await TestService.start();
  raw = await openRaw(service.database.url);
  key = await service.sourceKey(null);
  await sendRecords(service, key, [user(1), user(2), product(10, 1)]);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

function send(body: string | Buffer, options?: Parameters<typeof sendBody>[3]): Promise<Answer> {
  return sendBody(service, key, body, options);
}

function expectRejected(answer: Answer, code: 4000): string {
  return expectFailure(answer, code, 'ledger-1');
}

async function countOf(transaction_id: string): Promise<number> {
  const rows = await raw.rows(
    `SELECT transaction_id FROM transactions WHERE transaction_id = '${transaction_id}'`,
  );
  return rows.length;
}

/** Returns a user record of exactly this many bytes. */
function userOfBytes(id: number, bytes: number): string {
  const frame = JSON.stringify({ ...user(id), ignored: '' });
  return JSON.stringify({ ...user(id), ignored: 'x'.repeat(bytes - frame.length) });
}

describe('a bad record', () => {
  const sale = JSON.stringify(transaction('BAD', 10));

  it.each([
    ['a field twice', '{"type":"user","id":7,"id":8}', 'has an object with the same field twice'],
    [
      'a field twice inside',
      sale.replace('"email":', '"email":"a","email":'),
      'has an object with the same field twice',
    ],
    ['too many levels', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, 'is nested more than 20'],
    ['a deep abyss', '['.repeat(200_000), 'is nested more than 20 levels deep'],
    ['__proto__ alone', '{"__proto__":{"type":"user","id":7}}', 'type: must be given'],
    [
      'a number beyond 2^53',
      sale.replace('"product_id":10', '"product_id":9007199254740993'),
      'product_id: must be a whole number',
    ],
    ['a number as money', sale.replace('"47.00"', '47'), 'amount: must be decimal text'],
    ['NUL in an id', sale.replace('BAD', 'B\\u0000AD'), 'transaction_id: must be 1 to 64'],
    ['a raw NUL', sale.replace('BAD', 'B\u0000AD'), 'is not valid JSON'],
    ['half a line', sale.slice(0, -10), 'is not valid JSON'],
  ])('is rejected with its problem, and holds back no other: %s', async (_, line, problem) => {
    const answer = await send(`${line}\n${linesOf([transaction(`AFTER`, 10)])}`);
    const [rejected, after] = resultsIn(answer);
    expect(rejected?.verdict).toBe('rejected');
    expect(rejected?.problem).toContain(problem);
    expect(after?.verdict).toMatch(/^(inserted|unchanged)$/);
  });

  it('may be invalid UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"type":"\xff'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    expect(problemsIn(await send(bytes))).toEqual(['is not valid UTF-8']);
  });

  it('with __proto__ beside its fields is a record like any other', async () => {
    const line = JSON.stringify(user(12)).replace('{', '{"__proto__":{"name":"other"},');
    expect(verdictsIn(await send(line))).toEqual(['inserted']);
    expect(await raw.rows('SELECT name FROM users WHERE id = 12')).toEqual([{ name: 'User 12' }]);
  });
});

describe('a body over a limit is 4000, and nothing of it is written', () => {
  const first = transaction('TOO-MUCH', 10);

  it.each([
    [
      '10,001 records',
      () => linesOf([first, ...Array<string>(10_000).fill('{}')]),
      '10,000 records',
    ],
    [
      'a record of more than 256 KiB',
      () => linesOf([first, userOfBytes(20, RECORD_BYTES + 1)]),
      'Record 2 has more than 256 KiB',
    ],
    ['more than 32 MiB', () => linesOf([first, ...big(33)]), '32 MiB'],
  ])('%s', async (_, body, detail) => {
    expect(expectRejected(await send(body()), 4000)).toContain(detail);
    expect(await countOf('TOO-MUCH')).toBe(0);
  });

  /** Returns large records, so that a few of them reach the size. */
  function big(mebibytes: number): string[] {
    return Array<string>(mebibytes * 5).fill(userOfBytes(20, RECORD_BYTES - 4_096));
  }

  it('the same as a list', async () => {
    const list = `[${JSON.stringify(first)},${userOfBytes(20, RECORD_BYTES + 1)}]`;
    expect(expectRejected(await send(list, { type: JSON_TYPE }), 4000)).toContain('Record 2');
    expect(await countOf('TOO-MUCH')).toBe(0);
  });

  it('a gzip bomb', async () => {
    const bomb = gzipSync(
      Buffer.concat([Buffer.from(linesOf([first])), Buffer.alloc(40 * MEBIBYTE, '\n')]),
    );
    const headers = { 'Content-Encoding': 'gzip' };
    expect(expectRejected(await send(bomb, { headers }), 4000)).toContain('32 MiB');
    expect(await countOf('TOO-MUCH')).toBe(0);
  });

  it('but 10,000 records and one of 256 KiB are taken', async () => {
    const largest = userOfBytes(21, RECORD_BYTES);
    const records = Array.from({ length: 9_999 }, () => '{}');
    const results = resultsIn(await send(linesOf([...records, largest])));
    expect(results).toHaveLength(10_000);
    expect(results.at(-1)).toMatchObject({ line: 10_000, verdict: 'inserted' });
  });
});

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

describe('a body that cannot be read is 4000, and nothing of it is written', () => {
  const first = JSON.stringify(transaction('UNREAD', 10));

  it.each([
    ['cut off', `[${first},`],
    ['without its end', `[${first}`],
    ['with a comma too many', `[${first},]`],
    ['with something behind it', `[${first}] x`],
    ['with an invalid item', `[${first},{"a":}]`],
    [
      'with invalid UTF-8',
      Buffer.concat([Buffer.from(`[${first},"`), Buffer.from([0xff]), Buffer.from('"]')]),
    ],
    ['of two values', `${first}${first}`],
  ])('JSON %s', async (_, body) => {
    expect(expectRejected(await send(body, { type: JSON_TYPE }), 4000)).toContain('not valid JSON');
    expect(await countOf('UNREAD')).toBe(0);
  });

  it.each([
    ['another type', first, { type: 'text/plain' }, 'application/x-ndjson'],
    ['a form', first, { type: 'application/x-www-form-urlencoded' }, 'application/x-ndjson'],
    [
      'a form in parts',
      first,
      { type: 'multipart/form-data; boundary=b' },
      'Send the records as application/x-ndjson or as application/json.',
    ],
    ['another character set', first, { type: 'application/json; charset=utf-16' }, 'UTF-8'],
    ['UTF-16 in lines', utf16(`${first}\n${first}`), {}, 'The body is UTF-16'],
    ['UTF-16 in a list', utf16(`[${first}]`), { type: JSON_TYPE }, 'The body is UTF-16'],
    ['UTF-16 with a mark', utf16(`\ufeff${first}`), {}, 'The body is UTF-16'],
    ['the other UTF-16', utf16(`[${first}]`).swap16(), { type: JSON_TYPE }, 'The body is UTF-16'],
    [
      'UTF-16 in gzip',
      gzipSync(utf16(first)),
      { headers: { 'Content-Encoding': 'gzip' } },
      'The body is UTF-16',
    ],
    ['another coding', first, { headers: { 'Content-Encoding': 'br' } }, 'gzip'],
    ['two codings', first, { headers: { 'Content-Encoding': 'gzip, gzip' } }, 'gzip'],
    ['no gzip', first, { headers: { 'Content-Encoding': 'gzip' } }, 'not valid gzip'],
    [
      'gzip that is cut off',
      gzipSync(first).subarray(0, -9),
      { headers: { 'Content-Encoding': 'gzip' } },
      'not valid gzip',
    ],
  ])('%s', async (_, body, options, detail) => {
    expect(expectRejected(await send(body, options), 4000)).toContain(detail);
    expect(await countOf('UNREAD')).toBe(0);
  });
});
