import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from '../../support/processes/cli.js';
import { formatDateTime } from '../../../src/platform/values/time.js';
import { expectCommonHeaders, expectFailure } from '../../support/oracles/failure.js';
import { envelopeOf, type Answer } from '../../support/http/http.js';
import {
  OTHER_VENDOR,
  recurringPath,
  RecurringPayments,
  VENDOR,
} from '../../support/builders/recurring.js';

const FORM = 'application/x-www-form-urlencoded';
let payments: RecurringPayments;

beforeAll(async () => {
  payments = await RecurringPayments.start();
});
afterAll(() => payments.stop());
beforeEach(async () => {
  await payments.restore('PRE', 1);
  await payments.restore('DONE', 2, 'COMPLETED');
  await payments.restore('GONE', 3, 'CANCELED');
  await payments.run('DELETE FROM audit_log');
});

function expectCanceled(answer: Answer, canceled: boolean): void {
  expect(answer.status).toBe(200);
  expectCommonHeaders(answer, '2.0');
  expect(envelopeOf(answer)).toEqual({
    meta: {
      status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
      results_count: 1,
      api_version: '2.0',
    },
    results: [{ canceled }],
  });
}

async function audited(): Promise<unknown[]> {
  const { stdout } = await runCli(payments.service.database.url, ['audit']);
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe('PUT /v2.0/recurring_payment/{preKey}', () => {
  it.each([
    ['JSON', { status: 'CANCEL' }, undefined],
    ['a form', 'status=CANCEL', FORM],
    [
      'JSON with unknown fields',
      { status: 'CANCEL', price: '0.00', id: 7, preKey: 'DONE' },
      undefined,
    ],
  ])('cancels an ACTIVE payment with %s, and changes its status alone', async (_, body, type) => {
    const before = await payments.read('PRE');
    expect(before.status).toBe('ACTIVE');
    expectCanceled(await payments.cancel('PRE', body, type), true);
    expect(await payments.read('PRE')).toEqual({ ...before, status: 'CANCELED' });
    expect(await payments.status('DONE')).toBe('COMPLETED');
  });

  it('answers true again, and changes nothing, where the payment is CANCELED', async () => {
    await payments.cancel('PRE');
    const after = [await payments.read('PRE'), await audited()];
    expectCanceled(await payments.cancel('PRE'), true);
    expectCanceled(await payments.cancel('GONE'), true);
    expect([await payments.read('PRE'), await audited()]).toEqual(after);
  });

  it('answers false, and changes nothing, where the payment is COMPLETED', async () => {
    expectCanceled(await payments.cancel('DONE'), false);
    expect(await payments.status('DONE')).toBe('COMPLETED');
    expect(await audited()).toEqual([]);
  });

  it('stands in the audit log', async () => {
    await payments.cancel('PRE');
    expect(await audited()).toMatchObject([
      {
        user_id: VENDOR,
        application_id: expect.any(Number),
        action: 'recurring_payment.cancel',
        before: { status: 'ACTIVE' },
        after: { status: 'CANCELED' },
      },
    ]);
  });

  it('has its time in the query of ledger-1, unless it was canceled elsewhere', async () => {
    await payments.cancel('PRE');
    const [entry] = await payments.rows('SELECT created FROM audit_log');
    const { text } = await payments.service.get('/ledger/v1/recurring_payments', payments.key);
    const { results } = JSON.parse(text) as { results: Record<string, unknown>[] };
    const times = results.map(({ preKey, canceled_on }) => [preKey, canceled_on]);
    const at = formatDateTime(String(entry?.created));
    expect(times).toContainEqual(['PRE', at]);
    expect(times).toContainEqual(['GONE', null]);
    expect(times).toContainEqual(['DONE', null]);
  });

  it.each([
    ['absent', {}],
    ['null', { status: null }],
    ['empty', { status: '' }],
    ['in lower case', { status: 'cancel' }],
    ['followed by a blank', { status: 'CANCEL ' }],
    ['the status of a read', { status: 'CANCELED' }],
    ['ACTIVE', { status: 'ACTIVE' }],
    ['true', { status: true }],
    ['a list', { status: ['CANCEL'] }],
    ['an object', { status: { CANCEL: true } }],
    ['named otherwise', { Status: 'CANCEL' }],
    ['of the prototype', '{"__proto__":{"status":"CANCEL"}}'],
  ])('is refused with 4001 where the status is %s', async (_, body) => {
    const detail = expectFailure(await payments.cancel('PRE', body), 4001, '2.0');
    expect(detail).toContain('status');
    expect(await payments.status('PRE')).toBe('ACTIVE');
  });

  it.each(['', 'status=', 'status=cancel', 'status=CANCEL&status=CANCEL', 'status[]=CANCEL'])(
    'is refused with 4001 for the form %j',
    async (body) => {
      expectFailure(await payments.cancel('PRE', body, FORM), 4001, '2.0');
      expect(await payments.status('PRE')).toBe('ACTIVE');
    },
  );

  it.each([
    ['malformed JSON', '{"status":"CANCEL"', 'application/json'],
    ['plain text', 'CANCEL', 'text/plain'],
    ['a form in parts', '--b\r\n\r\n--b--', 'multipart/form-data; boundary=b'],
    ['more than 16 KiB', `status=CANCEL&a=${'a'.repeat(16 * 1024)}`, FORM],
  ])('is refused with 4000 for %s', async (_, body, type) => {
    expectFailure(await payments.cancel('PRE', body, type), 4000, '2.0');
    expect(await payments.status('PRE')).toBe('ACTIVE');
  });

  it("answers alike for another vendor's payment, an unknown one and one in another letter case", async () => {
    const { service, key } = payments;
    const answers: Answer[] = [];
    for (const pre_key of ['FOREIGN', 'UNKNOWN', 'pre', 'PRE%20', '%27OR%201%3D1']) {
      const headers = { Authorization: `Basic ${Buffer.from(`${key}:x`).toString('base64')}` };
      const answer = await service.send({
        method: 'PUT',
        path: recurringPath(pre_key),
        headers: { ...headers, 'X-Request-Id': 'same', 'Content-Type': 'application/json' },
        body: '{"status":"CANCEL"}',
      });
      expectFailure(answer, 4040, '2.0');
      answers.push({ ...answer, headers: { ...answer.headers, date: 'any' } });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const other = await service.key(OTHER_VENDOR);
    const [foreign] = (await service.envelope(recurringPath('FOREIGN'), other)).results;
    expect(foreign).toMatchObject({ status: 'ACTIVE' });
    expect(await payments.status('PRE')).toBe('ACTIVE');
  });

  it('answers 401 without a key, whatever the body is', async () => {
    const request = { method: 'PUT', path: recurringPath('PRE'), body: '{' };
    expectFailure(await payments.service.send(request), 4010, '2.0');
    expectFailure(await payments.service.put(recurringPath('PRE'), 'no-key', '{'), 4011, '2.0');
  });

  it('cancels for the vendor whose product it is, and for no other', async () => {
    const other = await payments.service.key(OTHER_VENDOR);
    const body = { status: 'CANCEL' };
    expectFailure(await payments.service.put(recurringPath('PRE'), other, body), 4040, '2.0');
    expect(await payments.status('PRE')).toBe('ACTIVE');
    expectCanceled(await payments.service.put(recurringPath('FOREIGN'), other, body), true);
  });
});
