/**
 * Cancels with an unknown result at the processor: the service repeats them until the processor
 * confirms.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { TestProcessor, type Behaviour } from '../../support/servers/processor.js';
import { outcomeOf, RecurringPayments, VENDOR } from '../../support/builders/recurring.js';
import { until } from '../../support/servers/running-service.js';

const TRIES = 3;
const UNKNOWN = /has not said whether it took the cancel/;
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
  await payments.restore('PRE', 1);
  await payments.run('DELETE FROM audit_log');
});

async function cancelUnknown(behaviour: Behaviour = 'reset'): Promise<void> {
  processor.expect([behaviour]);
  expect(expectFailure(await payments.cancel('PRE'), 4000, '2.0', 402)).toMatch(UNKNOWN);
}

/** Makes every waiting cancel due now. */
async function makeDue(): Promise<void> {
  await payments.run("UPDATE recurring_cancels SET next_try = '2020-01-01 00:00:00'");
}

function keysOf(): Set<unknown> {
  return new Set(processor.calls.map(({ headers }) => headers['idempotency-key']));
}

function cancels() {
  return payments.rows('SELECT * FROM recurring_cancels');
}

function audited() {
  return payments.rows('SELECT user_id, action, state_after FROM audit_log');
}

const CANCELED = [
  { user_id: VENDOR, action: 'recurring_payment.cancel', state_after: '{"status":"CANCELED"}' },
];

describe('A cancel whose outcome is unknown', () => {
  it.each<Behaviour>([500, 502, 503, 504, 'reset', 'garbage'])(
    'is 402 that says so after three tries that meet %s, and the payment is as it was',
    async (behaviour) => {
      await cancelUnknown(behaviour);
      expect(processor.calls).toHaveLength(TRIES);
      expect(keysOf().size).toBe(1);
      expect(await payments.status('PRE')).toBe('ACTIVE');
      expect(await cancels()).toMatchObject([{ pre_key: 'PRE', user_id: VENDOR, tries: 1 }]);
      expect(await audited()).toEqual([]);
    },
  );

  it('is told again in the background under its key, and done once the processor says so', async () => {
    await cancelUnknown();
    const [key] = keysOf();
    processor.expect([200]);
    await makeDue();
    await until('the cancel', async () => (await payments.status('PRE')) === 'CANCELED');
    expect([...keysOf()]).toEqual([key]);
    expect(processor.calls).toHaveLength(1);
    expect(await cancels()).toEqual([]);
    expect(await audited()).toEqual(CANCELED);
  });

  it('ends where the processor refuses it in the background, and the payment stays', async () => {
    await cancelUnknown();
    processor.expect([404]);
    await makeDue();
    await until('the end', async () => (await cancels()).length === 0);
    expect(await payments.status('PRE')).toBe('ACTIVE');
    expect(await audited()).toEqual([]);
  });

  it('waits longer after each try that tells nothing', async () => {
    await cancelUnknown();
    const pauses: number[] = [];
    for (const tries of [2, 3, 4]) {
      await makeDue();
      await until('a try', async () => (await cancels())[0]?.tries === tries);
      const [{ ends, next_try } = {}] = await cancels();
      pauses.push((Date.parse(`${String(next_try)}Z`) - Date.parse(`${String(ends)}Z`)) / 1_000);
    }
    expect(pauses).toEqual([10, 20, 40]);
    expect(keysOf().size).toBe(1);
  });

  it('goes on under its key where it is asked for again', async () => {
    await cancelUnknown();
    const [key] = keysOf();
    processor.expect([200]);
    expect(outcomeOf(await payments.cancel('PRE'))).toBe('200 true');
    expect([...keysOf()]).toEqual([key]);
    expect(await cancels()).toEqual([]);
    expect(await audited()).toEqual(CANCELED);
  });

  it('goes on under its key where whoever told the processor died of it', async () => {
    processor.expect([200]);
    await payments.run(`INSERT INTO recurring_cancels
      (pre_key, claim, ends, idempotency_key, user_id, application_id, asked)
      VALUES ('PRE', 'dead', '2020-01-01 00:00:00', 'the-first-key', ${VENDOR}, 3, '2020-01-01 00:00:00')`);
    await until('the cancel', async () => (await payments.status('PRE')) === 'CANCELED');
    expect([...keysOf()]).toEqual(['the-first-key']);
    expect(await audited()).toEqual(CANCELED);
  });

  it('gets a key where it has none, because an earlier version began it', async () => {
    processor.expect([503]);
    await payments.run(`INSERT INTO recurring_cancels (pre_key, claim, ends, user_id, application_id)
      VALUES ('PRE', 'dead', '2020-01-01 00:00:00', ${VENDOR}, 3)`);
    expect(expectFailure(await payments.cancel('PRE'), 4000, '2.0', 402)).toMatch(UNKNOWN);
    const [idempotency_key, ...others] = [...keysOf()];
    expect(String(idempotency_key)).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([]);
    expect(await cancels()).toMatchObject([{ idempotency_key }]);
  });

  it('stays unknown where the next try does not reach the processor', async () => {
    await cancelUnknown();
    processor.expect([429]);
    expect(expectFailure(await payments.cancel('PRE'), 4000, '2.0', 402)).toMatch(UNKNOWN);
    expect(await cancels()).toHaveLength(1);
  });

  it('is unknown to each who waited for it, and told by one of them', async () => {
    processor.expect(['reset'], 300);
    const answers = await Promise.all([1, 2, 3].map(() => payments.cancel('PRE')));
    for (const answer of answers) expect(expectFailure(answer, 4000, '2.0', 402)).toMatch(UNKNOWN);
    expect(processor.calls).toHaveLength(TRIES);
  });

  it('ends untold where the ledger says meanwhile that the payment is over', async () => {
    await cancelUnknown();
    await payments.run("UPDATE recurring_payments SET status = 'COMPLETED' WHERE pre_key = 'PRE'");
    processor.expect([200]);
    await makeDue();
    await until('the end', async () => (await cancels()).length === 0);
    expect(processor.calls).toEqual([]);
    expect(await payments.status('PRE')).toBe('COMPLETED');
  });
});
