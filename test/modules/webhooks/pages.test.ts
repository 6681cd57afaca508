/** The account pages of webhooks. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { product, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { ApiDocument } from '../../support/oracles/open-api.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { until } from '../../support/servers/running-service.js';
import { todayInUtc } from '../../../src/platform/values/time.js';
import { TestService } from '../../support/servers/service.js';
import { ageSessionsOf } from '../../support/sql/session-age.js';

const PATH = '/account/webhooks';
/** The name resolves without a name server to an address that is not public, so nothing is sent. */
const URL = 'https://localhost/hook';
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;

let service: TestService;
let ledger: TestLedger;
let ann: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(2), product(10, 1)]);
  ledger = TestLedger.on(service.database);
});
beforeEach(async () => {
  ann = await Visitor.signedIn(service, 1);
  await ann.get(PATH);
});
afterEach(async () => {
  await ledger.run('DELETE FROM webhook_deliveries');
  await ledger.run('DELETE FROM webhook_endpoints');
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/** @returns the path of the endpoint's page */
async function add(
  fields: Readonly<Record<string, string>> = { url: URL, from: 'now' },
): Promise<string> {
  const added = await ann.post(PATH, fields);
  expect(added.status).toBe(303);
  return String(added.headers.location).split('?')[0] ?? '';
}

/** Stores a failed delivery of the changes 1 and 2. */
async function failAt(path: string, answer = ''): Promise<void> {
  const id = path.slice(`${PATH}/`.length);
  const columns =
    'endpoint_id, number, webhook_id, first_sequence, last_sequence, changes, sent, duration_ms, status, problem, answer';
  await ledger.run(
    `INSERT INTO webhook_deliveries (${columns}) VALUES (${id}, 7, 'msg_x', 1, 2, 2,
      '2025-06-01 10:00:00', 87, 500, 'the receiver answered 500', '${answer}')`,
  );
  const failed = "number = 7, position = 0, failures = 1, problem = 'the receiver answered 500'";
  const later = "next_try = '2999-01-01 00:00:00'";
  await ledger.run(`UPDATE webhook_endpoints SET ${failed}, ${later} WHERE id = ${id}`);
}

it('there are none at first', async () => {
  const { text } = await ann.get(PATH);
  expect(text).not.toContain('<table');
  expect(text).toContain('You have no endpoints yet.');
  expect(text).toContain('href="/docs/guide#webhooks"');
  expect(text).toContain('aria-current="page">Webhooks</a>');
});

it('the form of a new one shows a delivery, with fields of the change feed', async () => {
  const before = todayInUtc();
  const { text } = await ann.get(PATH);
  const [, code = ''] = /<figure class="sample">.*?<code>(.*?)<\/code>/s.exec(text) ?? [];
  const change = { sequence: 333, kind: 'transaction', reasons: ['sold'] };
  expect(JSON.parse(code.replaceAll('&quot;', '"'))).toMatchObject({
    type: 'ledger.changes',
    data: { changes: [change], cursor: '333.0' },
  });
  const [, timestamp = ''] = /timestamp&quot;: &quot;(.*?)&quot;/.exec(code) ?? [];
  expect(timestamp >= before).toBe(true);
  expect(text).toMatch(/<div class="sample-fold"><details class="card folded">/);
  const { responses } = new ApiDocument('ledger-1').operation('GET /ledger/v1/changes');
  const feed = JSON.stringify(responses['200']?.content);
  for (const [, field] of code.split('changes')[2]?.matchAll(/&quot;(\w+)&quot;:/g) ?? []) {
    expect(feed).toContain(`"${String(field)}":`);
  }
});

describe('an endpoint', () => {
  it('is added with the size that it is given', async () => {
    const { text } = await ann.get(await add({ url: URL, from: 'now', max_bytes: '1024' }));
    expect(text).toMatch(/name="max_bytes"[^>]* value="1024"/);
  });

  it('is added, shown, paused, resumed, replayed, changed and removed', async () => {
    const path = await add();
    expect((await ann.get(`${path}?done=created`)).text).toContain('The endpoint was added.');
    const { text } = await ann.get(PATH);
    expect(text).toContain(`<a href="${path}">${URL}</a>`);
    expect(text).toMatch(/never delivered.*>none</s);
    const form = await ann.get(`${PATH}?new=yes`);
    expect(form.text).toContain('name="kinds.transaction" checked');
    expect(text).toContain(`<a class="button" href="${PATH}?new=yes#make-title">`);
    const paused = await ann.follow(await ann.post(`${path}/pause`));
    expect(paused.text).toContain('<span class="badge revoked">paused</span>');
    const replayed = await ann.follow(await ann.post(`${path}/replay`, { from: '2025-01-01' }));
    expect(replayed.text).toContain('>up to 1 change<');
    const url = 'https://shop.example/other';
    const change = async (fields: Readonly<Record<string, string>>) =>
      ann.follow(await ann.post(`${path}/change`, { url, max_bytes: '92160', ...fields }));
    const changed = await change({});
    expect(changed.text).toContain('Your changes were saved.');
    expect(changed.text).toContain('Changed the address of a webhook endpoint');
    expect(changed.text).toContain(url);
    expect(changed.text).toMatch(/name="max_bytes"[^>]* value="92160"/);
    const max_bytes = '1048576';
    const resized = await change({ max_bytes });
    expect(resized.text).toContain('Changed the size of deliveries');
    expect(resized.text).toMatch(/name="max_bytes"[^>]* value="1048576"/);
    const events = { 'reasons.refunded': 'on', 'reasons.charged_back': 'on' };
    const filter = { ...events, 'reasons.sole': 'on', product_ids: '10', max_bytes };
    const filtered = await change(filter);
    expect(filtered.text).toContain('Changed what is sent to a webhook endpoint');
    expect(filtered.text).toContain('only these events: Refund, Chargeback; only the products 10');
    expect(filtered.text).toContain('name="reasons.refunded" checked');
    expect(filtered.text).not.toContain('name="reasons.sold" checked');
    const kinds = ['transaction', 'recurring_payment', 'relationship', 'product', 'affiliate'];
    const boxes = Object.fromEntries(kinds.map((kind) => [`kinds.${kind}`, 'on']));
    const whole = await change({ ...boxes, max_bytes });
    expect(whole.text).toContain('<dd>All kinds of changes</dd>');
    const some = await change({ ...boxes, 'kinds.product': 'off', max_bytes });
    expect(some.text).toContain('Transactions, Subscriptions, Affiliate terms, Affiliates</dd>');
    await ann.follow(await ann.post(`${path}/rotate`));
    expect((await ann.post(`${path}/remove`)).headers.location).toBe(PATH);
    expect((await ann.get(path)).status).toBe(404);
  });

  it('asks before it sends everything again, and says how much that is', async () => {
    const path = await add();
    await ann.follow(await ann.post(`${path}/pause`));
    for (const fields of [{ from: '' }, { from: ' ', all: 'no' }]) {
      const asked = await ann.post(`${path}/replay`, fields);
      expect(asked.status).toBe(200);
      expect(asked.text).toContain('<h1>Send everything again?</h1>');
      expect(asked.text).toMatch(/at most <strong>1 change<\/strong>/);
      expect((await ann.get(path)).text).toContain('>none<');
    }
    const replayed = await ann.follow(await ann.post(`${path}/replay`, { all: 'yes' }));
    expect(replayed.text).toContain('The changes are sent again.');
    expect(replayed.text).toContain('>up to 1 change<');
  });

  it('is tested, and says why nothing was received', async () => {
    const { text } = await ann.post(`${await add()}/test`);
    expect(text).toContain('Test failed: the address is not public.');
  });

  it('shows its deliveries with what was answered, harmless', async () => {
    const path = await add();
    await failAt(path, '<script>alert(1)</script>');
    const { text } = await ann.get(path);
    expect(text).toContain('the receiver answered 500');
    expect(text).toContain('87 ms');
    const [, delivery = ''] = /href="([^"]*\/deliveries\/\d+)"/.exec(text) ?? [];
    const shown = await ann.get(delivery);
    expect(shown.text).toContain('&lt;script>alert(1)&lt;/script>');
    expect(shown.text).not.toContain('<script>alert');
  });

  it('shows what a delivery has, only to its own vendor, and says if it is not kept', async () => {
    const path = await add({ url: URL, from: 'beginning' });
    await failAt(path);
    const [, delivery = ''] =
      /href="([^"]*\/deliveries\/\d+)"/.exec((await ann.get(path)).text) ?? [];
    const { text } = await ann.get(delivery);
    expect(text).toContain('&quot;kind&quot;: &quot;product&quot;');
    const bob = await Visitor.signedIn(service, 2);
    expect((await bob.get(delivery)).status).toBe(404);
    expect((await ann.get(`${path}/deliveries/4711`)).status).toBe(404);
    expect((await ann.get(`${path}/deliveries/x`)).status).toBe(404);
  });

  it('tries a failing delivery again at once on request', async () => {
    const path = await add();
    await failAt(path);
    const [, id = ''] = /(\d+)$/.exec(path) ?? [];
    const next = () => ledger.rows(`SELECT next_try FROM webhook_endpoints WHERE id = ${id}`);
    expect(JSON.stringify(await next())).toContain('2999');
    const retried = await ann.follow(await ann.post(`${path}/retry`));
    expect(retried.text).toContain('The delivery is tried again within seconds.');
    expect(JSON.stringify(await next())).not.toContain('2999');
  });

  it('that fails offers to skip what its receiver rejects, and says what is lost', async () => {
    const path = await add();
    expect((await ann.get(path)).text).not.toContain(`action="${path}/skip"`);
    const refused = await ann.post(`${path}/skip`, { webhook_id: 'msg_x' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('No delivery of this endpoint is failing.');
    await failAt(path);
    const { text } = await ann.get(path);
    expect(text).toContain(`action="${path}/skip"`);
    expect(text).toContain('Your receiver will not get changes 1 to 2.');
    expect(text).toContain('GET /ledger/v1/changes?after=0');
    await ageSessionsOf(1, 11, ledger);
    const asked = await ann.post(`${path}/skip`, { webhook_id: 'msg_x' });
    expect(asked.text).toContain('<h1>Enter your password</h1>');
    expect(asked.text).toContain('name="webhook_id" value="msg_x"');
    const fields = { webhook_id: 'msg_x', password: PASSWORD };
    expect((await ann.post(`${path}/skip`, fields)).text).toContain('Another delivery is due');
  });

  it('shows what was skipped with its sequences', async () => {
    const path = await add({ url: URL, from: 'beginning' });
    const shown = async () => (await ann.get(path)).text;
    await until('the failure', async () => (await shown()).includes(`action="${path}/skip"`));
    const [, webhook_id = ''] = /name="webhook_id" value="([^"]+)"/.exec(await shown()) ?? [];
    const skipped = await ann.follow(await ann.post(`${path}/skip`, { webhook_id }));
    expect(skipped.text).toContain('The delivery was skipped.');
    expect(skipped.text).toMatch(/the address is not public; skipped <time/);
    expect(skipped.text).not.toContain(`action="${path}/skip"`);
  });

  it('shows its secret and is removed only after the password, in an old session', async () => {
    const path = await add();
    expect((await ann.post(`${path}/secret`)).text).toMatch(SECRET);
    await ageSessionsOf(1, 11, ledger);
    for (const action of ['secret', 'remove']) {
      const asked = await ann.post(`${path}/${action}`);
      expect(asked.text).toContain('<h1>Enter your password</h1>');
      expect(asked.text).not.toMatch(SECRET);
    }
    expect((await ann.get(path)).status).toBe(200);
    expect((await ann.post(`${path}/secret`, { password: PASSWORD })).text).toMatch(SECRET);
  });

  it('tells if its secret cannot be read any more, and gets a new one', async () => {
    const path = await add();
    await ledger.run("UPDATE webhook_endpoints SET secret = 'of another service'");
    expect((await ann.post(`${path}/secret`)).text).toContain('The secret cannot be shown');
    await ann.follow(await ann.post(`${path}/rotate`));
    expect((await ann.post(`${path}/secret`)).text).toMatch(SECRET);
  });

  it.each(['', '/secret', '/test', '/pause', '/replay', '/change', '/skip', '/rotate', '/remove'])(
    'of another user is not found: %s',
    async (action) => {
      const path = await add();
      const eve = await Visitor.signedIn(service, 2);
      await eve.get(PATH);
      const answer =
        action === ''
          ? await eve.get(path)
          : await eve.post(path + action, { url: URL, max_bytes: '1024' });
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain(URL);
      expect((await ann.get(path)).text).toContain('<span class="badge active">active</span>');
    },
  );
});

describe('what cannot be', () => {
  it.each([
    [
      { url: 'http://shop.example/', from: 'now' },
      'Enter an address that starts with https://',
      'url',
    ],
    [{ url: 'https://127.0.0.1/', from: 'now' }, 'not public', 'url'],
    [{ url: URL, from: '' }, 'Choose what to send.', 'from'],
    [{ url: URL, from: 'now', product_ids: '10 -1' }, 'The products must be ids', 'product_ids'],
    [{ url: URL, from: 'now', max_bytes: '1' }, 'from 1024 to 1048576', 'max_bytes'],
  ])('%j is told at its field, and keeps what was entered', async (fields, told, name) => {
    const { status, text } = await ann.post(PATH, fields);
    expect(status).toBe(400);
    expect(text).toContain(`id="field-${name}-problem"`);
    expect(text).toContain(told);
    expect(text).toContain(`value="${fields.url}"`);
    expect(text).not.toContain('<table');
  });

  it('a wrong day of a replay, a wrong new URL, and a wrong size', async () => {
    const path = await add();
    const replayed = await ann.post(`${path}/replay`, { from: '2025-02-30' });
    expect(replayed.status).toBe(400);
    expect(replayed.text).toContain('The day must be a date');
    const kept = { url: URL, max_bytes: '92160' };
    const changed = await ann.post(`${path}/change`, { ...kept, url: 'ftp://shop.example/' });
    expect(changed.status).toBe(400);
    expect(changed.text).toContain('value="ftp://shop.example/"');
    const ids = { 'kinds.product': 'on', product_ids: 'x' };
    const filtered = await ann.post(`${path}/change`, { ...kept, ...ids });
    expect(filtered.text).toContain('The products must be ids');
    expect(filtered.text).toContain('name="kinds.product" checked');
    const resized = await ann.post(`${path}/change`, { ...kept, max_bytes: '1048577' });
    expect(resized.status).toBe(400);
    expect(resized.text).toContain('The size must be an integer from 1024 to 1048576.');
    expect(resized.text).toContain('value="1048577"');
  });

  it('an eleventh endpoint', async () => {
    for (let made = 0; made < 10; made += 1) await add();
    const { status, text } = await ann.post(PATH, { url: URL, from: 'now' });
    expect(status).toBe(400);
    expect(text).toContain('You have 10 endpoints already.');
  });
});
