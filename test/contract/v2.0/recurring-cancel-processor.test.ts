import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recurringPayment } from '../../support/builders/ledger-records.js';
import { expectFailure } from '../../support/oracles/failure.js';
import {
  PROCESSOR_PATH,
  signatureOf,
  TestProcessor,
  type Behaviour,
} from '../../support/servers/processor.js';
import { stopwatch } from '../../support/processes/stopwatch.js';
import { outcomeOf, PRODUCT, RecurringPayments } from '../../support/builders/recurring.js';

const ID = 77;
const TRIES = 3;
let processor: TestProcessor;
let payments: RecurringPayments;

beforeAll(async () => {
  processor = await TestProcessor.start();
  payments = await RecurringPayments.start(processor.environment);
});
afterAll(async () => {
  await payments.stop();
  await processor.stop();
});
beforeEach(async () => {
  await payments.restore('PRE', ID);
  await payments.run('DELETE FROM audit_log');
});

/** Expects that the payment is unchanged, and that no cancel holds it. */
async function expectStillActive(): Promise<void> {
  expect(await payments.status('PRE')).toBe('ACTIVE');
  expect(await payments.rows('SELECT * FROM recurring_cancels')).toEqual([]);
  expect(await payments.rows('SELECT * FROM audit_log')).toEqual([]);
}

describe('A cancel with a payment processor', () => {
  it('is a POST with the payment, the time and a signature over both', async () => {
    processor.expect([200]);
    const before = Math.floor(Date.now() / 1_000);
    expect(outcomeOf(await payments.cancel('PRE'))).toBe('200 true');
    const [call, ...more] = processor.calls;
    if (call === undefined) throw new Error('the processor was not called');
    expect(more).toEqual([]);
    expect(call).toMatchObject({ method: 'POST', path: PROCESSOR_PATH });
    expect(call.headers['content-type']).toBe('application/json');
    expect(JSON.parse(call.body)).toEqual({
      event: 'recurring_payment.cancel',
      pre_key: 'PRE',
      id: ID,
      product_id: PRODUCT,
    });
    const timestamp = String(call.headers['x-timestamp']);
    expect(timestamp).toMatch(/^\d+$/);
    expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(timestamp)).toBeLessThanOrEqual(call.received / 1_000);
    expect(call.headers['x-signature']).toBe(signatureOf(timestamp, call.body));
    expect(call.headers['idempotency-key']).toMatch(/^[\w-]{16,}$/);
    expect(JSON.stringify(call)).not.toContain(payments.key);
  });

  it.each([
    ['DISABLED', 1, '200 true', 'CANCELED'],
    [' active', 1, '200 true', 'CANCELED'],
    ['Canceled', 0, '200 true', 'Canceled'],
    ['completed', 0, '200 false', 'completed'],
  ])('of a payment that is %j is passed on %d times', async (word, calls, outcome, after) => {
    await payments.restore('PRE', ID, word);
    processor.expect([200]);
    expect(outcomeOf(await payments.cancel('PRE'))).toBe(outcome);
    expect(processor.calls).toHaveLength(calls);
    expect(await payments.status('PRE')).toBe(after);
    // A record with the status of the last record does not undo the cancel; a record with another
    // status applies.
    await payments.service.import([recurringPayment('PRE', PRODUCT, { id: ID, status: word })]);
    expect(await payments.status('PRE')).toBe(after);
    await payments.service.import([recurringPayment('PRE', PRODUCT, { id: ID, status: 'PAUSED' })]);
    expect(await payments.status('PRE')).toBe('PAUSED');
  });

  it.each([200, 201, 202, 204, 299])('is taken with %d', async (status) => {
    processor.expect([status]);
    expect(outcomeOf(await payments.cancel('PRE'))).toBe('200 true');
    expect(processor.calls).toHaveLength(1);
    expect(await payments.status('PRE')).toBe('CANCELED');
    expect(await payments.rows('SELECT * FROM recurring_cancels')).toEqual([]);
  });

  it.each([400, 401, 402, 403, 404, 409, 410, 422, 301, 302, 307, 308, 304])(
    'is refused at once with %d, and 402',
    async (status) => {
      processor.expect([status, 200]);
      const detail = expectFailure(await payments.cancel('PRE'), 4000, '2.0', 402);
      expect(detail).toMatch(/processor/);
      expect(processor.calls).toHaveLength(1);
      await expectStillActive();
    },
  );

  it('is tried three times with one idempotency key where it is too busy, and is 402 then', async () => {
    processor.expect([429]);
    const detail = expectFailure(await payments.cancel('PRE'), 4000, '2.0', 402);
    expect(detail).toMatch(/still active/);
    expect(processor.calls).toHaveLength(TRIES);
    const keys = processor.calls.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    for (const { headers, body } of processor.calls) {
      expect(headers['x-signature']).toBe(signatureOf(String(headers['x-timestamp']), body));
    }
    await expectStillActive();
  });

  it.each<[string, Behaviour[]]>([
    ['twice 500, then 200', [500, 500, 200]],
    ['a reset, then 204', ['reset', 204]],
    ['garbage, 503, then 200', ['garbage', 503, 200]],
  ])('is taken in the end with %s', async (_, script) => {
    processor.expect(script);
    expect(outcomeOf(await payments.cancel('PRE'))).toBe('200 true');
    expect(processor.calls).toHaveLength(script.length);
    expect(await payments.status('PRE')).toBe('CANCELED');
  });

  it('is refused where a first try meets 500 and the second is refused', async () => {
    processor.expect([500, 404, 200]);
    expectFailure(await payments.cancel('PRE'), 4000, '2.0', 402);
    expect(processor.calls).toHaveLength(2);
    await expectStillActive();
  });

  it('counts as not taken what takes longer than 5 seconds', async () => {
    processor.expect(['silence', 200]);
    const waited = stopwatch();
    const begun = performance.now();
    expect(outcomeOf(await payments.cancel('PRE'))).toBe('200 true');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(4_900);
    expect(waited()).toBeLessThan(9_000);
    expect(processor.calls).toHaveLength(2);
  });

  it('is another order, with another idempotency key, once one was refused', async () => {
    processor.expect([404, 200]);
    expect(outcomeOf(await payments.cancel('PRE'))).toBe('402 undefined');
    expect(outcomeOf(await payments.cancel('PRE'))).toBe('200 true');
    const keys = processor.calls.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('is not told of what is no ACTIVE payment of the caller', async () => {
    processor.expect([200]);
    await payments.restore('DONE', 2, 'COMPLETED');
    await payments.restore('GONE', 3, 'CANCELED');
    const told = ['DONE', 'GONE', 'FOREIGN', 'UNKNOWN'].map((pre_key) => payments.cancel(pre_key));
    const outcomes = (await Promise.all(told)).map(outcomeOf);
    expect(outcomes.map((text) => text.slice(0, 3))).toEqual(['200', '200', '404', '404']);
    expect(outcomeOf(await payments.cancel('PRE', { status: 'cancel' }))).toMatch(/^400/);
    expect(processor.calls).toEqual([]);
  });
});
