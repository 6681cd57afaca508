/**
 * A cancel of a subscription whose commits get no answer: each of its steps determines the outcome
 * by itself.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { COMMIT } from '../support/servers/flaky-proxy.js';
import { noted } from '../support/processes/noted-use.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { TestProcessor } from '../support/servers/processor.js';
import { outcomeOf, RecurringPayments } from '../support/builders/recurring.js';
import { until } from '../support/servers/running-service.js';
import { stopwatch } from '../support/processes/stopwatch.js';
import { TestService } from '../support/servers/service.js';

const LIMIT_MS = 2_000;
const FAULTS = ['breakBefore', 'breakAfter'] as const;

let database: OwnDatabase;
let processor: TestProcessor;
let payments: RecurringPayments;

beforeAll(async () => {
  database = await OwnDatabase.start();
  processor = await TestProcessor.start();
});
afterAll(async () => {
  await processor.stop();
  await database.end();
});
beforeEach(async () => {
  const { url } = database;
  const drop = () => Promise.resolve();
  const service = await TestService.on({ url, folder: '', drop }, processor.environment);
  payments = await RecurringPayments.on(service);
  await payments.restore('PRE', 1);
  for (const table of ['audit_log', 'recurring_cancels'])
    await payments.run(`DELETE FROM ${table}`);
  expect(await payments.status('PRE')).toBe('ACTIVE');
  const direct = await createConnection(database.directUrl);
  await noted(direct);
  await direct.end();
});
afterEach(() => payments.stop());

/**
 * Expects that the cancel is done, with one entry of the audit log, and that nothing waits for it
 * any more.
 */
async function expectCanceled(): Promise<void> {
  expect(database.network.hasBroken).toBe(true);
  expect(processor.calls).toHaveLength(1);
  expect(await payments.status('PRE')).toBe('CANCELED');
  expect(await payments.rows('SELECT * FROM recurring_cancels')).toEqual([]);
  const entries = await payments.rows(
    "SELECT id FROM audit_log WHERE action = 'recurring_payment.cancel'",
  );
  expect(entries).toHaveLength(1);
}

describe.each(FAULTS)('a cancellation is done once if the connection breaks (%s) at', (fault) => {
  it('the commit of its claim', async () => {
    processor.expect([200]);
    database.network[fault](COMMIT);
    const waited = stopwatch();
    expect(outcomeOf(await payments.cancel('PRE'))).toBe('200 true');
    expect(waited()).toBeLessThan(LIMIT_MS);
    await expectCanceled();
  });

  it('the commit of a cancellation that the processor accepted', async () => {
    processor.expect([200], 300);
    const canceled = payments.cancel('PRE');
    await until('the call', () => processor.calls.length === 1);
    database.network[fault](COMMIT);
    expect(outcomeOf(await canceled)).toBe('200 true');
    await expectCanceled();
  });

  it('the commit that deletes the claim after the processor refused', async () => {
    processor.expect([404], 300);
    const canceled = payments.cancel('PRE');
    await until('the call', () => processor.calls.length === 1);
    database.network[fault](COMMIT);
    expect(outcomeOf(await canceled)).toBe('402 undefined');
    expect(await payments.status('PRE')).toBe('ACTIVE');
    expect(await payments.rows('SELECT * FROM recurring_cancels')).toEqual([]);
  });
});
