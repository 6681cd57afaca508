import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { envelopeOf, type Answer } from '../../support/http/http.js';
import {
  JSON_TYPE,
  NDJSON,
  linesOf,
  problemsIn,
  resultsIn,
  sendBody,
  sendRecords,
  verdictsIn,
} from '../../support/http/records.js';
import { expectCommonHeaders, expectFailure } from '../../support/oracles/failure.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';

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

function expectRejected(answer: Answer, code: 4000 | 4001): string {
  return expectFailure(answer, code, 'ledger-1');
}

async function countOf(transaction_id: string): Promise<number> {
  const rows = await raw.rows(
    `SELECT transaction_id FROM transactions WHERE transaction_id = '${transaction_id}'`,
  );
  return rows.length;
}

describe('POST /ledger/v1/records', () => {
  it('tells what became of each record, in their order, and counts the verdicts', async () => {
    const answer = await sendRecords(service, key, [
      transaction('ALL-1', 10, { pre_key: 'ALL' }),
      user(3),
      'nonsense',
      affiliation(3, 10),
      clicks(3, 10),
      recurringPayment('ALL', 10),
      transaction('ALL-1', 10, { pre_key: 'ALL', status: 'pending' }),
      transaction('ALL-1', 10, { pre_key: 'ALL', status: 'pending' }),
      transaction('ALL-2', 99),
    ]);
    expectCommonHeaders(answer, 'ledger-1');
    const { meta } = envelopeOf(answer);
    expect(meta).toMatchObject({ results_count: 9, api_version: 'ledger-1' });
    expect(meta).toMatchObject({
      summary: { inserted: 5, updated: 0, unchanged: 1, rejected: 3 },
    });
    const results = resultsIn(answer);
    expect(
      results.map(({ line, type, key: named, verdict }) => [line, type, named, verdict]),
    ).toEqual([
      [1, 'transaction', 'ALL-1', 'rejected'],
      [2, 'user', '3', 'inserted'],
      [3, null, null, 'rejected'],
      [4, 'affiliation', '3/10', 'inserted'],
      [5, 'clicks', '3/10/2025-06-01', 'inserted'],
      [6, 'recurring_payment', 'ALL', 'inserted'],
      [7, 'transaction', 'ALL-1', 'inserted'],
      [8, 'transaction', 'ALL-1', 'unchanged'],
      [9, 'transaction', 'ALL-2', 'rejected'],
    ]);
    expect(problemsIn(answer).filter((problem) => problem !== null)).toEqual([
      'pre_key: there is no recurring payment "ALL"',
      'is not valid JSON',
      'product_id: there is no product 99',
    ]);
  });

  it('updates what is there, and shows it at once', async () => {
    const vendor = await service.key(1);
    await sendRecords(service, key, [transaction('SEEN', 10)]);
    const refunded = { status: 'refunded', refund: refund('2025-06-02T00:00:00Z') };
    const answer = await sendRecords(service, key, [transaction('SEEN', 10, refunded)]);
    expect(verdictsIn(answer)).toEqual(['updated']);
    const { results } = await service.envelope('/v3.0/transactions/SEEN', vendor);
    expect(results).toMatchObject([{ status: 'refunded' }]);
  });

  it('leaves out a version that is older than the one stored', async () => {
    const version = (record_version: number, status: string) =>
      transaction('VERSIONED', 10, { record_version, status });
    const answer = await sendRecords(service, key, [
      version(2, 'completed'),
      version(1, 'pending'),
      version(2, 'pending'),
      transaction('VERSIONED', 10),
    ]);
    expect(verdictsIn(answer)).toEqual(['inserted', 'stale', 'rejected', 'stale']);
    expect(envelopeOf(answer).meta).toMatchObject({ summary: { stale: 2 } });
  });

  it('tells a warning as the problem of a record that it takes', async () => {
    const answer = await sendRecords(service, key, [transaction('WARNED', 10, { amount: '1.00' })]);
    expect(resultsIn(answer)).toMatchObject([
      {
        verdict: 'inserted',
        problem: expect.stringMatching(/^payouts: add up to 47\.00/) as unknown,
      },
    ]);
    const other = transaction('WARNED', 10, { sale_date: '2025-06-01T12:00:01Z' });
    const changed = await sendRecords(service, key, [other, transaction('UNSUSPICIOUS', 10)]);
    expect(problemsIn(changed)).toEqual([
      expect.stringMatching(/^transaction_id: was stored with another sale_date: give each line/),
      null,
    ]);
  });

  it('reads JSON: one record, or a list', async () => {
    const one = await send(JSON.stringify(user(4), null, 2), { type: JSON_TYPE });
    expect(resultsIn(one)).toMatchObject([{ line: 1, key: '4', verdict: 'inserted' }]);
    const list = ` [ ${JSON.stringify(user(4))} ,\n\n ${JSON.stringify(user(5))}, 5, [[]] ] `;
    const many = await send(list, { type: 'application/json; charset=UTF-8' });
    expect(verdictsIn(many)).toEqual(['unchanged', 'inserted', 'rejected', 'rejected']);
    expect(problemsIn(many).slice(2)).toEqual(['is not a JSON object', 'is not a JSON object']);
  });

  it('reads gzip', async () => {
    const answer = await send(gzipSync(linesOf([user(6)])), {
      headers: { 'Content-Encoding': 'gzip' },
    });
    expect(verdictsIn(answer)).toEqual(['inserted']);
  });

  it.each([
    ['lines', NDJSON, linesOf([user(6), user(7)])],
    ['a list', JSON_TYPE, JSON.stringify([user(6), user(7)])],
    ['one record', JSON_TYPE, JSON.stringify(user(6))],
  ])('skips a byte order mark before %s, with and without gzip', async (_, type, text) => {
    const plain = `\ufeff${text}`;
    const packed = gzipSync(plain);
    const gzip = { 'Content-Encoding': 'gzip' };
    const answers = [await send(plain, { type }), await send(packed, { type, headers: gzip })];
    for (const answer of answers) {
      const verdicts = verdictsIn(answer);
      expect(verdicts).toHaveLength(text.split('"type"').length - 1);
      expect(verdicts).not.toContain('rejected');
    }
  });

  it('counts empty lines, and needs no line end after the last record', async () => {
    const answer = await send(`\n\r\n${linesOf([user(4)])}\n${JSON.stringify(user(5))}`);
    expect(resultsIn(answer).map(({ line }) => line)).toEqual([3, 5]);
  });

  it.each([
    ['an empty body', '', 'application/x-ndjson'],
    ['an empty body without a type', '', ''],
    ['empty lines', '\n\n', 'application/x-ndjson'],
    ['a byte order mark', '\ufeff', JSON_TYPE],
    ['an empty list', ' [ ] ', JSON_TYPE],
  ])('answers 200 without results to %s', async (_, body, type) => {
    const answer = await send(body, { type });
    expect(resultsIn(answer)).toEqual([]);
    expect(envelopeOf(answer).meta).toMatchObject({ summary: { inserted: 0, rejected: 0 } });
  });

  it('names the source in the audit log', async () => {
    await sendRecords(service, key, [product(11, 1)]);
    await sendRecords(service, key, [product(11, 1, { name: 'Renamed' })]);
    const entries = await raw.rows(
      "SELECT user_id, application_id, source FROM audit_log WHERE action = 'product.import'",
    );
    expect(entries).toEqual([{ user_id: 0, application_id: 1, source: null }]);
  });
});

describe('atomic=true', () => {
  it('writes all records', async () => {
    const answer = await sendRecords(
      service,
      key,
      [transaction('A-1', 10), transaction('A-2', 10)],
      '?atomic=true',
    );
    expect(verdictsIn(answer)).toEqual(['inserted', 'inserted']);
  });

  it('writes none if one is rejected, and names the first 20 with their problems', async () => {
    const bad = Array.from({ length: 25 }, (_, at) => transaction(`A-BAD-${at}`, 99));
    const answer = await sendRecords(
      service,
      key,
      [transaction('A-3', 10), ...bad],
      '?atomic=true',
    );
    const detail = expectRejected(answer, 4001);
    expect(detail).toContain('line 2: product_id: there is no product 99 (transaction A-BAD-0)');
    expect(detail).toContain('line 21: ');
    expect(detail).not.toContain('line 22: ');
    expect(detail).toContain('and 5 more');
    expect(await countOf('A-3')).toBe(0);
  });

  it('takes at most 2,000 records', async () => {
    const records = (count: number) => [
      transaction('A-4', 10),
      ...Array<object>(count - 1).fill(user(4)),
    ];
    const answer = await sendRecords(service, key, records(2_001), '?atomic=true');
    expect(expectRejected(answer, 4000)).toContain('2,000 records');
    expect(await countOf('A-4')).toBe(0);
    const most = await sendRecords(service, key, records(2_000), '?atomic=true');
    expect(resultsIn(most)).toHaveLength(2_000);
  });

  it.each(['yes', 'TRUE', '1', ''])('is true or false, not %j', async (atomic) => {
    const answer = await sendRecords(service, key, [transaction('A-5', 10)], `?atomic=${atomic}`);
    expect(expectRejected(answer, 4001)).toBe('atomic must be one of true, false.');
    expect(await countOf('A-5')).toBe(0);
  });

  it('=false is the default', async () => {
    const records = [transaction('A-6', 10), transaction('A-7', 99)];
    const answer = await sendRecords(service, key, records, '?atomic=false');
    expect(verdictsIn(answer)).toEqual(['inserted', 'rejected']);
  });
});
