/** Notifications of upstreams: the transactions that they name. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_NOTIFIED } from '../../../src/modules/mirror/upstreams/upstream.model.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { addUpstream } from '../../support/builders/upstream.js';
import { envelopeOf, type Request } from '../../support/http/http.js';
import { notify, notifyOf } from '../../support/http/notify.js';
import { faultsOf } from '../../support/oracles/answer-check.js';
import { expectCommonHeaders, expectFailure } from '../../support/oracles/failure.js';
import { HOSTILE_BODIES } from '../../support/random/hostile-bodies.js';
import { TestService } from '../../support/servers/service.js';

const VERSION = 'ledger-1';
const OPERATION = 'POST /ledger/v1/upstreams/{id}/notify/{token}';
const FIELDS = ['paykey', 'transaction_id', 'ctranspaymentkey', 'ctransreceipt'] as const;
const [JSON_TYPE, FORM] = ['application/json', 'application/x-www-form-urlencoded'];
const [BOUNDARY, PARTS] = ['----a boundary', 'multipart/form-data; boundary="----a boundary"'];
const ID = 'PA-0123/45_~!';

let service: TestService;
let ledger: TestLedger;
let path: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(2)]);
  ledger = TestLedger.on(service.database);
  path = await addUpstream(service, 1);
});
afterEach(() => ledger.run('DELETE FROM upstream_reads'));
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/** Returns the kinds and keys of the records that wait to be read. */
async function waiting(): Promise<string[]> {
  const rows = await ledger.rows('SELECT kind, record_key FROM upstream_reads ORDER BY record_key');
  return rows.map(({ kind, record_key }) => `${String(kind)} ${String(record_key)}`);
}

/** Returns a multipart body with these parts. */
function partsOf(...parts: readonly string[]): string {
  return [...parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`), `--${BOUNDARY}--\r\n`].join('');
}

function part(name: string, value: string): string {
  return `Content-Disposition: form-data; name=${name}\r\n\r\n${value}`;
}

async function expectTaken(request: Omit<Request, 'path'>, ids: readonly string[]): Promise<void> {
  const answer = await notify(service, { ...request, path });
  expect(answer.status).toBe(200);
  expect(faultsOf(answer, OPERATION, VERSION)).toEqual([]);
  expect(await waiting()).toEqual(ids.map((id) => `notified ${id}`));
}

it('is answered with an empty list, without a key', async () => {
  const answer = await notifyOf(service, path, { paykey: ID });
  expect(envelopeOf(answer)).toEqual({
    meta: {
      status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
      results_count: 0,
      api_version: VERSION,
    },
    results: [],
  });
  expectCommonHeaders(answer, VERSION);
  expect(Object.keys(answer.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
});

describe.each(FIELDS)('the field %s', (field) => {
  it.each([
    [JSON_TYPE, JSON.stringify({ cprice: 47, [field]: ID, more: { a: [1] } })],
    [FORM, new URLSearchParams({ cprice: '47', [field]: ID, more: '' }).toString()],
    [PARTS, partsOf(part('cprice', '47'), part(`"${field}"`, ID), part('more', ''))],
    [JSON_TYPE, JSON.stringify({ [field.toUpperCase()]: ID })],
    [FORM, new URLSearchParams({ [field.toUpperCase()]: ID }).toString()],
    [PARTS, partsOf(part(field.toUpperCase(), ID))],
  ])('names a transaction in %s', async (type, body) => {
    await expectTaken({ headers: { 'Content-Type': type }, body }, [ID]);
  });
});

it('the first field that has an id of a transaction counts', async () => {
  const all = { ctransreceipt: 'D', ctranspaymentkey: 'C', transaction_id: 'B', PayKey: 'A' };
  await notifyOf(service, path, all);
  await notifyOf(service, path, { ...all, transaction_id: 'no id', PayKey: null });
  await notifyOf(service, path, { PAYKEY: 'E', paykey: 'F', payKey: 'G' });
  expect(await waiting()).toEqual(['notified A', 'notified C', 'notified F']);
});

describe('a body is read whatever it is called', () => {
  const json = JSON.stringify({ paykey: ID });
  const latin1 = Buffer.from(`ccustname=Ren\u00e9e&paykey=${encodeURIComponent(ID)}`, 'latin1');
  it.each<[string, Omit<Request, 'path'>]>([
    ['JSON without a type', { body: json }],
    ['JSON as text', { headers: { 'Content-Type': 'text/plain' }, body: json }],
    ['JSON as a form', { headers: { 'Content-Type': FORM }, body: `\r\n ${json}` }],
    [
      'JSON of another JSON type',
      { headers: { 'Content-Type': 'application/a+json' }, body: json },
    ],
    ['JSON with a byte order mark', { body: `\ufeff${json}` }],
    ['compressed JSON', { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(json) }],
    ['a form without a type', { body: `paykey=${ID}` }],
    ['a form as JSON', { headers: { 'Content-Type': JSON_TYPE }, body: `paykey=${ID}` }],
    ['a form that is no UTF-8', { headers: { 'Content-Type': FORM }, body: latin1 }],
    ['escapes that are no UTF-8', { body: `ccustname=Ren%E9e&paykey=${ID}` }],
    ['parts without a type', { body: partsOf(part('"paykey"', ID)) }],
    ['parts as a form', { headers: { 'Content-Type': FORM }, body: partsOf(part('paykey', ID)) }],
    [
      'parts without an end',
      {
        headers: { 'Content-Type': PARTS },
        body: partsOf(part('paykey', ID), part('a', 'b')).slice(0, -30),
      },
    ],
    [
      'parts with a file',
      {
        headers: { 'Content-Type': PARTS },
        body: partsOf(part('a; filename="paykey"', 'X'), part('paykey', ID)),
      },
    ],
    [
      'parts with types of their own',
      {
        headers: { 'Content-Type': PARTS },
        body: partsOf(`Content-Type: text/plain; charset=utf-8\r\n${part('paykey', ID)}`),
      },
    ],
    ['a charset that is unknown', { headers: { 'Content-Type': 'a/b; charset=x' }, body: json }],
  ])('%s', async (_, request) => {
    await expectTaken(request, [ID]);
  });
});

describe('a body that names no transaction', () => {
  it('is nothing at all', async () => {
    await expectTaken({}, []);
    await expectTaken({ headers: { 'Content-Type': JSON_TYPE }, body: '' }, []);
  });

  it.each(['[]', 'null', '"PA-1"', '7', '{', `[{"paykey":"${ID}"}]`, `paykey=${ID}&a=%`])(
    'is %s',
    async (body) => {
      await expectTaken({ headers: { 'Content-Type': JSON_TYPE }, body }, []);
    },
  );

  it.each([
    ['empty', ''],
    ['too long', 'a'.repeat(65)],
    ['a space', 'PA 1'],
    ['a line end', 'PA-1\n'],
    ['a control character', 'PA\u0000'],
    ['no ASCII', 'PA-\u00e9'],
    ['half a surrogate pair', '\ud800'],
    ['null', null],
    ['a fraction', 47.11],
    ['a number beyond the exact ones', 2 ** 60],
    ['a truth value', true],
    ['a list', [ID]],
    ['an object', { $gt: ID }],
  ])('has an id that is %s', async (_, paykey) => {
    await expectTaken({ body: JSON.stringify({ paykey }) }, []);
  });

  it('has an id that is a number, which names its digits', async () => {
    await expectTaken({ body: JSON.stringify({ paykey: 4711 }) }, ['4711']);
  });

  it('has its field twice', async () => {
    await expectTaken({ body: `paykey=${ID}&paykey=${ID}` }, []);
    await expectTaken({ body: partsOf(part('paykey', ID), part('paykey', ID)) }, []);
  });

  it.each([
    ['no parts', `--${BOUNDARY}--\r\n`],
    ['parts of another boundary', partsOf(part('paykey', ID)).replaceAll(BOUNDARY, 'another')],
    ['a part without a name', partsOf(`Content-Disposition: form-data\r\n\r\n${ID}`)],
    ['its id as a file', partsOf(part('paykey; filename=a', ID))],
    ['nothing', ''],
  ])('has the type of parts, and %s', async (_, body) => {
    await expectTaken({ headers: { 'Content-Type': PARTS }, body }, []);
    await expectTaken({ headers: { 'Content-Type': 'multipart/form-data' }, body: `a${body}` }, []);
  });

  it('is of any shape: answered as documented', async () => {
    const faults: string[] = [];
    for (const { name, headers, bytes: body } of HOSTILE_BODIES) {
      const answer = await notify(service, { path, headers, body });
      const isTooLarge =
        envelopeOf(answer).meta.status.detail === 'The body must not exceed 16 KiB.';
      const status = isTooLarge ? 400 : 200;
      const wrong = answer.status === status ? [] : [String(answer.status)];
      for (const fault of [...wrong, ...faultsOf(answer, OPERATION, VERSION)]) {
        faults.push(`${name}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

it('a body of more than 16 KiB is 4000', async () => {
  const body = JSON.stringify({ paykey: ID, more: 'a'.repeat(16 * 1024) });
  for (const sent of [
    { body },
    { body: gzipSync(body), headers: { 'Content-Encoding': 'gzip' } },
  ]) {
    const answer = await notify(service, { path, ...sent });
    expect(expectFailure(answer, 4000, VERSION)).toContain('16 KiB');
  }
  await expectTaken({ body: body.slice(0, 15 * 1024) + '"}' }, [ID]);
});

describe('what waits', () => {
  it('waits once, however often it is notified', async () => {
    await Promise.all(Array.from({ length: 20 }, () => notifyOf(service, path, { paykey: ID })));
    await notifyOf(service, path, { ctransreceipt: ID });
    expect(await waiting()).toEqual([`notified ${ID}`]);
  });

  it('is told apart by letter case', async () => {
    for (const paykey of ['pa', 'PA', 'Pa']) await notifyOf(service, path, { paykey });
    expect((await waiting()).sort()).toEqual(['notified PA', 'notified Pa', 'notified pa']);
  });

  it('is of its own upstream', async () => {
    const other = await addUpstream(service, 2);
    await notifyOf(service, other, { paykey: ID });
    await notifyOf(service, path, { paykey: ID });
    const rows = await ledger.rows('SELECT upstream_id FROM upstream_reads ORDER BY upstream_id');
    expect(rows.map(({ upstream_id }) => Number(upstream_id))).toEqual([1, 2]);
  });

  it(`is at most ${MAX_NOTIFIED} transactions, beside what else is to be read`, async () => {
    const at = '2025-06-01 00:00:00';
    const rows = Array.from({ length: MAX_NOTIFIED - 1 }, (_, id) => `'notified', 'N${id}'`);
    for (const row of [...rows, "'detail', 'D'"]) {
      await ledger.run(
        `INSERT INTO upstream_reads (upstream_id, kind, record_key, sale_date, failures, next_try)
         VALUES (1, ${row}, '${at}', 0, '${at}')`,
      );
    }
    for (const paykey of ['last', 'late', 'later']) {
      expect((await notifyOf(service, path, { paykey })).status).toBe(200);
    }
    const all = await waiting();
    expect(all).toHaveLength(MAX_NOTIFIED + 1);
    expect(all.filter((row) => row.includes(' la'))).toEqual(['notified last']);
  });
});
