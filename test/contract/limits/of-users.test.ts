/** Limits of a user over all applications and pages, and of the user's simultaneous requests. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { ConcurrencyLimiter } from '../../../src/platform/limits/concurrency-limiter.js';
import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic, envelopeOf, type Answer } from '../../support/http/http.js';
import { keyOf, make } from '../../support/browser/application-pages.js';
import { product, recurringPayment, user } from '../../support/builders/ledger-records.js';
import { TestProcessor } from '../../support/servers/processor.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { statesOf } from '../../support/processes/gauges.js';
import { Visitor } from '../../support/browser/visitor.js';

const OFTEN = Array.from({ length: 30 });

let service: TestService;
afterEach(() => service.stop());

async function started(environment: Record<string, string>): Promise<void> {
  service = await TestService.start({ THROTTLE_WAIT: '0', ...environment });
  await service.import([user(1), user(2)]);
}

/** Returns keys of this many applications of a user. */
async function keysOf(user_id: number, count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) keys.push(await service.key(user_id));
  return keys;
}

/**
 * Sends 30 requests with each key, all at once.
 * @returns the number of answers with 200
 */
async function answered(keys: readonly string[]): Promise<number> {
  const asked = keys.flatMap((key) => OFTEN.map(() => service.get('/v3.0', key)));
  const answers = await Promise.all(asked);
  return answers.filter(({ status }) => status === 200).length;
}

function leftOf({ headers }: Answer) {
  const text = String(headers.ratelimit);
  return [/;r=(\d+)/.exec(text)?.[1], headers['x-ratelimit-remaining']];
}

describe('the limits of a user', () => {
  it.each([
    ['twice those of an application where none are set', {}, 10],
    ['those that are set', { THROTTLE_USER_LIMITS: '7/1h' }, 7],
    ['off where they are set so', { THROTTLE_USER_LIMITS: 'off' }, 20],
  ])('are %s, over all applications', async (_, environment, expected) => {
    await started({ THROTTLE_LIMITS: '5/1h', ...environment });
    expect(await answered(await keysOf(1, 4))).toBe(expected);
    expect(await answered(await keysOf(2, 1))).toBe(5);
  });

  it('are off where those of applications are', async () => {
    await started({ THROTTLE_LIMITS: 'off' });
    expect(await answered(await keysOf(1, 2))).toBe(60);
  });

  it('hold also where applications have none', async () => {
    await started({ THROTTLE_LIMITS: 'off', THROTTLE_USER_LIMITS: '7/1h' });
    const [key = ''] = await keysOf(1, 1);
    expect(leftOf(await service.get('/v3.0', key))).toEqual(['6', '6']);
    expect(await answered([key])).toBe(6);
  });

  it('take nothing of an application whose request they refuse, and say whose they are', async () => {
    await started({ THROTTLE_LIMITS: '5/1h', THROTTLE_USER_LIMITS: '6/1h' });
    const [first, second] = [await service.key(1), await service.key(1)];
    expect(await answered([first])).toBe(5);
    expect(leftOf(await service.get('/v3.0', second))).toEqual(['4', '0']);
    for (let times = 0; times < 3; times += 1) {
      const refused = await service.get('/v3.0', second);
      expect(expectFailure(refused, 4290, '3.0', 429)).toMatch(/all API applications and pages/);
      expect(leftOf(refused)).toEqual(['4', '0']);
    }
    expect(expectFailure(await service.get('/v3.0', first), 4290, '3.0', 429)).toMatch(
      /^The rate limit of this API application/,
    );
    // The first key has already sent 30 requests.
    const refusals = await statesOf(service, 'limit_refusals_total');
    expect(refusals).toMatchObject({ user: 3, key: 25 + 1, at_once: 0 });
  });

  it('do not count for an application with limits of its own', async () => {
    await started({ THROTTLE_LIMITS: '5/1h' });
    const [own = '', ...others] = await keysOf(1, 4);
    const applications = service.app.get(ApiApplicationsService);
    const [first] = await applications.applicationsOf(1);
    await applications.setLimits(first?.id ?? 0, [{ requests: 20, seconds: 3_600 }]);
    expect(await answered([own])).toBe(20);
    expect(await answered(others)).toBe(10);
    expect(await answered([own])).toBe(0);
  });

  it('count the account pages and downloads with the calls', async () => {
    await started({ THROTTLE_LIMITS: '20/1h', THROTTLE_USER_LIMITS: '6/1h' });
    const ann = await Visitor.signedIn(service, 1);
    expect((await ann.get('/account/applications')).status).toBe(200);
    const csv = '/account/reports/transactions.csv?range=all-time&start=2025-01-01&end=2025-01-31';
    await ann.get(csv);
    expect(await answered(await keysOf(1, 1))).toBe(4);
    const page = await ann.get('/account/applications');
    expect(page.status).toBe(429);
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
    expect(page.text).toMatch(/limit of this user, over all API applications and pages/);
    const bob = await Visitor.signedIn(service, 2);
    expect((await bob.get('/account/applications')).status).toBe(200);
  });
});

describe('the active applications of a user', () => {
  it('are no more than may be, also where many are made at once', async () => {
    await started({ ACTIVE_APPLICATIONS: '3' });
    const applications = service.app.get(ApiApplicationsService);
    const made = await Promise.allSettled(
      OFTEN.map(() => applications.createApplication(1, 'one of many', null, {}, 1)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const ann = await Visitor.signedIn(service, 1);
    await ann.get('/account/applications');
    const refused = await ann.post('/account/applications', {
      name: 'One more',
      access: 'full',
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/3 active API applications already/);
    const [first] = await applications.applicationsOf(1);
    await applications.revokeApplication(first?.id ?? 0);
    await make(ann, { name: 'In its place' });
    // The limit does not apply to an operator.
    expect(await keysOf(1, 2)).toHaveLength(2);
  });
});

describe('looks at a key', () => {
  it('within a minute are one entry of the audit log', async () => {
    await started({});
    const ann = await Visitor.signedIn(service, 1);
    const path = await make(ann, { name: 'Shown' });
    const ledger = TestLedger.on(service.database);
    const shown = () => ledger.rows("SELECT id FROM audit_log WHERE action = 'key.show'");
    const key = await keyOf(ann, path);
    for (let times = 0; times < 5; times += 1) expect(await keyOf(ann, path)).toBe(key);
    expect(await shown()).toHaveLength(1);
    await ledger.run("UPDATE api_applications SET last_shown = '2020-01-01 00:00:00'");
    await keyOf(ann, path);
    expect(await shown()).toHaveLength(2);
    await ledger.close();
  });
});

describe('what a user has under way', () => {
  let processor: TestProcessor;
  beforeAll(async () => {
    processor = await TestProcessor.start();
  });
  afterAll(() => processor.stop());

  const PAYMENTS = Array.from({ length: 6 }, (_, at) => `PRE-${at}`);
  const cancel = (pre_key: string, key: string) =>
    service.put(`/v2.0/recurring_payment/${pre_key}`, key, { status: 'CANCEL' });

  async function withPayments(): Promise<string[]> {
    await started({ THROTTLE_AT_ONCE: '2', ...processor.environment });
    await service.import([
      product(10, 1),
      product(20, 2),
      recurringPayment('OTHER', 20),
      ...PAYMENTS.map((pre_key, at) => recurringPayment(pre_key, 10, { id: at + 1 })),
    ]);
    return [...(await keysOf(1, 1)), ...(await keysOf(2, 1))];
  }

  it('is bounded: the rest waits, and other users do not', async () => {
    const [key = '', other = ''] = await withPayments();
    processor.expect(['silence', 'silence', 200]);
    const canceled = Promise.all(PAYMENTS.map((pre_key) => cancel(pre_key, key)));
    await until('two calls', () => processor.calls.length === 2);
    // The third call is for the other user: at most two of the first user's calls run at a time.
    expect((await cancel('OTHER', other)).status).toBe(200);
    expect(processor.calls).toHaveLength(3);
    for (const answer of await canceled) {
      expect(answer.status).toBe(200);
      expect(envelopeOf(answer).results).toEqual([{ canceled: true }]);
    }
  });

  it('is two downloads, while pages go on', async () => {
    await started({ THROTTLE_AT_ONCE: '5' });
    const underWay = service.app.get(ConcurrencyLimiter);
    const answer = () => new ServerResponse(new IncomingMessage(new Socket()));
    const [first, second, third] = [answer(), answer(), answer()];
    expect([first, second].map((each) => underWay.beginDownload(1, each))).toEqual([false, false]);
    const waits = underWay.beginDownload(1, third);
    expect(underWay.begin(1, answer())).toBe(false);
    expect(underWay.beginDownload(2, answer())).toBe(false);
    first.emit('close');
    expect(await waits).toBe(true);
  });

  it('is over where the client hangs up, also with requests behind one another', async () => {
    const [key = ''] = await withPayments();
    processor.expect([200], 500);
    const body = '{"status":"CANCEL"}';
    const request = (pre_key: string) =>
      `PUT /v2.0/recurring_payment/${pre_key} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(key).Authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(PAYMENTS.slice(0, 4).map(request).join(''));
    await until('two calls', () => processor.calls.length === 2);
    socket.destroy();
    expect((await service.get('/v3.0', key)).status).toBe(200);
    const status = async (pre_key: string) => {
      const path = `/v2.0/recurring_payment/${pre_key}`;
      return (await service.envelope(path, key)).results[0]?.status;
    };
    await until('both cancels', async () => {
      return (await status('PRE-0')) === 'CANCELED' && (await status('PRE-1')) === 'CANCELED';
    });
    expect(processor.calls).toHaveLength(2);
  });
});
