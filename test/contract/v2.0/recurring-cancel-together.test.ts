import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestProcessor } from '../../support/servers/processor.js';
import { outcomeOf, RecurringPayments } from '../../support/builders/recurring.js';

const TAKEN = '200 true';
const REFUSED = '402 undefined';
const ROUNDS = 12;
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
  await payments.run('DELETE FROM recurring_cancels');
});

async function cancelTogether(count: number): Promise<string[]> {
  const cancels = Array.from({ length: count }, () => payments.cancel('PRE'));
  return (await Promise.all(cancels)).map(outcomeOf);
}

function all(count: number, outcome: string): string[] {
  return Array.from({ length: count }, () => outcome);
}

describe.each([2, 10])('%d cancels of one payment at once', (count) => {
  it('call the processor once, and all are true where it takes its time', async () => {
    processor.expect([200], 400);
    expect(await cancelTogether(count)).toEqual(all(count, TAKEN));
    expect(processor.calls).toHaveLength(1);
    expect(await payments.status('PRE')).toBe('CANCELED');
  });

  it('call the processor once, and all are true where it answers at once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await payments.restore('PRE', 1);
      processor.expect([200], round % 3);
      expect(await cancelTogether(count)).toEqual(all(count, TAKEN));
      expect(processor.calls).toHaveLength(1);
    }
  });

  it('call the processor once, and all are 402 where it refuses', async () => {
    processor.expect([404, 200], 400);
    expect(await cancelTogether(count)).toEqual(all(count, REFUSED));
    expect(processor.calls).toHaveLength(1);
    expect(await payments.status('PRE')).toBe('ACTIVE');
    expect(await payments.rows('SELECT * FROM recurring_cancels')).toEqual([]);
  });

  it('are one entry of the audit log', async () => {
    await payments.run('DELETE FROM audit_log');
    processor.expect([200], 100);
    await cancelTogether(count);
    const rows = await payments.rows('SELECT action FROM audit_log');
    expect(rows).toEqual([{ action: 'recurring_payment.cancel' }]);
  });
});

describe('A cancel that finds the claim of another instance', () => {
  const claim = (ends: string) =>
    payments.run(`INSERT INTO recurring_cancels (pre_key, claim, ends)
      VALUES ('PRE', '00000000-0000-0000-0000-000000000000', '${ends}')`);

  it('passes over it where its end has passed', async () => {
    await claim('2020-01-01 00:00:00');
    processor.expect([200]);
    expect(await cancelTogether(1)).toEqual([TAKEN]);
    expect(processor.calls).toHaveLength(1);
    expect(await payments.rows('SELECT * FROM recurring_cancels')).toEqual([]);
  });

  it('passes over it once where ten come', async () => {
    await claim('2020-01-01 00:00:00');
    processor.expect([200], 200);
    expect(await cancelTogether(10)).toEqual(all(10, TAKEN));
    expect(processor.calls).toHaveLength(1);
  });

  it('has the outcome of the other where that one lives', async () => {
    await claim('9999-01-01 00:00:00');
    processor.expect([200]);
    const waiting = cancelTogether(2);
    await payments.run(`UPDATE recurring_payments SET status = 'CANCELED' WHERE pre_key = 'PRE'`);
    await payments.run('DELETE FROM recurring_cancels');
    expect(await waiting).toEqual([TAKEN, TAKEN]);
    expect(processor.calls).toEqual([]);
  });

  it('is in no way of another payment', async () => {
    await claim('9999-01-01 00:00:00');
    await payments.restore('OTHER', 2);
    processor.expect([200]);
    expect(outcomeOf(await payments.cancel('OTHER'))).toBe(TAKEN);
  });
});
