/** The tools that change something ask first, and accept each confirmation once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/index.js';
import { ConfirmationsService } from '../../../src/modules/mcp/confirmations/confirmations.service.js';
import { product, recurringPayment, user } from '../../support/builders/ledger-records.js';
import { envelopeOf } from '../../support/http/http.js';
import { McpCaller, REVISIONS } from '../../support/http/mcp.js';
import { TestService } from '../../support/servers/service.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';

const VENDOR = 1;
const SET = 'set_affiliate_terms';
const CANCEL = 'cancel_recurring_payment';
const TERMS = { affiliate_id: 3, product_id: 10, approval_status: 'INSTANT' };

let service: TestService;
let other: TestService;
let raw: RawConnection;
let caller: McpCaller;
let commission = 0;

beforeAll(async () => {
  service = await TestService.start();
  other = await service.beside();
  raw = await openRaw(service.database.url);
  await service.import([
    user(VENDOR),
    user(2),
    user(3),
    product(10, VENDOR),
    product(20, 2),
    recurringPayment('PRE-1', 10),
    recurringPayment('PRE-2', 10, { status: 'CANCELED' }),
    recurringPayment('PRE-3', 10, { status: 'COMPLETED' }),
    recurringPayment('PRE-4', 10, { status: ' completed' }),
    recurringPayment('PRE-OTHERS', 20),
  ]);
  caller = new McpCaller(service, (await writing()).key);
});
afterAll(async () => {
  await raw.close();
  await other.stop();
  await service.stop();
});
beforeEach(() => {
  commission += 1;
});

/** Creates an application that lets assistants change data. */
async function writing(): Promise<{ readonly id: number; readonly key: string }> {
  const applications = service.app.get(ApiApplicationsService);
  const { application, key } = await applications.createApplication(VENDOR, 'Assistant', null);
  await applications.setMcpWrites(application.id, true);
  return { id: application.id, key };
}

/** Returns terms that the relationship does not have yet. */
function terms(): Readonly<Record<string, unknown>> {
  return { ...TERMS, custom_commission: commission };
}

async function tokenFor(given = terms(), by = caller): Promise<string> {
  const { confirmation_token } = await by.data(SET, given);
  return String(confirmation_token);
}

async function stored(): Promise<unknown> {
  const path = '/v2.1/affiliates/3/products/10';
  const answer = await service.get(path, await service.key(VENDOR));
  return answer.status === 404 ? null : envelopeOf(answer).results[0]?.custom_commission;
}

async function expectRefused(problem: string, given: object, by = caller): Promise<void> {
  const before = await stored();
  const { error } = await by.call(SET, { ...given });
  expect(error).toMatchObject({ code: -32_602, data: { code: 4001 } });
  expect(error?.message).toContain(problem);
  expect(await stored()).toBe(before);
}

it.each(REVISIONS)('changes nothing at first, and then what was shown, in %s', async (revision) => {
  const by = new McpCaller(service, (await writing()).key, revision);
  const before = await stored();
  const { confirmation_token, present, change } = await by.data(SET, terms());
  expect(change).toEqual({ approval_status: 'INSTANT', custom_commission: commission });
  expect(present === null).toBe(before === null);
  expect(await stored()).toBe(before);
  const { results } = await by.data(SET, { ...terms(), confirmation_token });
  expect(results).toMatchObject([{ custom_commission: commission, status: 'APPROVED' }]);
  expect(await stored()).toBe(commission);
});

it('clears a field with null', async () => {
  await caller.data(SET, { ...terms(), confirmation_token: await tokenFor() });
  const given = { ...TERMS, custom_commission: null };
  await caller.data(SET, { ...given, confirmation_token: await tokenFor(given) });
  expect(await stored()).toBe(0);
});

it('cancels a recurring payment as the operation does, with its entry in the audit log', async () => {
  const { id, key } = await writing();
  const by = new McpCaller(service, key);
  const given = { preKey: 'PRE-1' };
  const { confirmation_token, present } = await by.data(CANCEL, given);
  expect(present).toMatchObject({ status: 'ACTIVE' });
  const { results } = await by.data(CANCEL, { ...given, confirmation_token });
  expect(results).toEqual([{ canceled: true }]);
  const again = await by.call(CANCEL, { ...given, confirmation_token });
  expect(again.error?.message).toContain('The status is CANCELED already.');
  const entries = await raw.rows(
    `SELECT application_id FROM audit_log WHERE action = 'recurring_payment.cancel'`,
  );
  expect(entries.map(({ application_id }) => Number(application_id))).toEqual([id]);
});

describe('a token is refused', () => {
  it('twice', async () => {
    const given = { ...terms(), confirmation_token: await tokenFor() };
    await caller.data(SET, given);
    const changed = await raw.rows('SELECT token_id FROM mcp_used_tokens');
    expect(changed.length).toBeGreaterThan(0);
    // The state has changed, so the same token is about something else.
    await expectRefused('has changed', given);
  });

  it('twice, also if nothing has changed', async () => {
    await caller.data(SET, { ...terms(), confirmation_token: await tokenFor() });
    const given = { ...terms(), confirmation_token: await tokenFor() };
    await caller.data(SET, given);
    await expectRefused('was used already', given);
  });

  it('at the second of two instances at once', async () => {
    await caller.data(SET, { ...terms(), confirmation_token: await tokenFor() });
    const { key } = await writing();
    const callers = [new McpCaller(service, key), new McpCaller(other, key)];
    const given = { ...terms(), confirmation_token: await tokenFor(terms(), callers[0]) };
    const answers = await Promise.all(callers.map((each) => each.call(SET, given)));
    expect(answers.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(answers.map(({ error }) => error?.message ?? '').join('')).toContain('was used already');
  });

  it('late', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 301_000);
    const confirmation_token = await tokenFor().finally(() => {
      now.mockRestore();
    });
    await expectRefused('has expired', { ...terms(), confirmation_token });
  });

  it('with other arguments, of another tool, or changed', async () => {
    const token = await tokenFor();
    const changed = { ...terms(), custom_commission: 99 };
    await expectRefused('has changed', { ...changed, confirmation_token: token });
    const { error } = await caller.call(CANCEL, { preKey: 'PRE-1', confirmation_token: token });
    expect(error?.data.code).toBe(4001);
    const later = token.replace(/^\d{10}/, (end) => String(Number(end) + 60));
    for (const wrong of ['', 'x', later, `${token}x`, token.toUpperCase(), 'x'.repeat(10_000)]) {
      await expectRefused('has changed', { ...terms(), confirmation_token: wrong });
    }
  });

  it('of another application, and of an earlier key', async () => {
    const { id, key } = await writing();
    const confirmation_token = await tokenFor(terms(), new McpCaller(service, key));
    const given = { ...terms(), confirmation_token };
    await expectRefused('has changed', given);
    const rotated = await service.app.get(ApiApplicationsService).rotateKey(id, 3_600);
    await expectRefused('has changed', given, new McpCaller(service, rotated.key));
  });

  it('after the relationship has changed', async () => {
    const confirmation_token = await tokenFor();
    const given = { ...TERMS, custom_commission: commission + 50 };
    await caller.data(SET, { ...given, confirmation_token: await tokenFor(given) });
    await expectRefused('has changed', { ...terms(), confirmation_token });
  });
});

describe('the tools that change something', () => {
  it('are only for full keys of applications that allow it', async () => {
    expect(await caller.toolNames()).toEqual(expect.arrayContaining([SET, CANCEL]));
    const applications = service.app.get(ApiApplicationsService);
    const keys = [await service.key(VENDOR)];
    for (const access of ['read', 'masked'] as const) {
      const made = await applications.createApplication(VENDOR, access, null, { access });
      await applications.setMcpWrites(made.application.id, true);
      keys.push(made.key);
    }
    for (const key of keys) {
      const by = new McpCaller(service, key);
      const names = await by.toolNames();
      expect(names).not.toContain(SET);
      expect(names).not.toContain(CANCEL);
      for (const name of [SET, CANCEL]) {
        expect((await by.call(name, terms())).error?.data.code).toBe(4030);
      }
    }
  });

  it.each([
    [{ ...TERMS, product_id: 20 }, 4012],
    [{ ...TERMS, product_id: 404 }, 4040],
    [{ ...TERMS, affiliate_id: 404 }, 4040],
    [{ ...TERMS, product_id: 'x' }, 4001],
    [{ ...TERMS, approval_status: 'MAYBE' }, 4001],
    [{ ...TERMS, custom_commission: 101 }, 4001],
    [{ ...TERMS, custom_commission: '1e1' }, 4001],
    [{ ...TERMS, custom_commission: true }, 4001],
    [{ ...TERMS, custom_commission: [1] }, 4001],
    [{ ...TERMS, more: 1 }, 4001],
    [{ affiliate_id: 3, product_id: 10 }, 4001],
  ])('refuse %j before they ask', async (given, code) => {
    const { error, result } = await caller.call(SET, given);
    expect([result, error?.data.code]).toEqual([undefined, code]);
  });

  it.each([
    ['PRE-404', 4040],
    ['PRE-OTHERS', 4040],
    ['PRE-2', 4001],
    ['PRE-3', 4001],
    ['PRE-4', 4001],
  ])('refuse to cancel %s before they ask', async (preKey, code) => {
    const { error, result } = await caller.call(CANCEL, { preKey });
    expect([result, error?.data.code]).toEqual([undefined, code]);
  });

  it('forget used tokens that have expired', async () => {
    await caller.data(SET, { ...terms(), confirmation_token: await tokenFor() });
    const count = async () => (await raw.rows('SELECT token_id FROM mcp_used_tokens')).length;
    const before = await count();
    await service.app.get(ConfirmationsService).removeExpired();
    expect(await count()).toBe(before);
    await raw.run(`UPDATE mcp_used_tokens SET expires = '2020-01-01 00:00:00'`);
    await service.app.get(ConfirmationsService).removeExpired();
    expect(await count()).toBe(0);
  });
});
