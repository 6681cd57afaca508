/** The account page of the upstream, where it is called a mirror. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MirrorLoopService } from '../../../src/modules/mirror/runs/mirror.job.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { TestService } from '../../support/servers/service.js';
import { ageSessionsOf } from '../../support/sql/session-age.js';

const PATH = '/account/upstream';
/** The name resolves without a name server to an address that is not public, so nothing is read. */
const URL = 'https://localhost/up';
const KEY = 'vra_the_key_of_an_upstream';
const FIELDS = { url: URL, key: KEY, every: '10', service: '', processor: '', unchecked: 'on' };
const ADDRESS = />http:\/\/[^/<]+\/ledger\/v1\/upstreams\/\d+\/notify\/[\w-]{32}</;
const ACTIVE = '<span class="badge active">active</span>';
const PAUSED = '<span class="badge revoked">paused</span>';
const CHANGES = ['address', 'run', 'full', 'pause', 'resume', 'remove'];

let service: TestService;
let ledger: TestLedger;
let ann: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  // On a busy machine the loop would begin to read before the page is shown.
  await service.app.get(MirrorLoopService).beforeApplicationShutdown();
  await service.import([user(1), user(2)]);
  ledger = TestLedger.on(service.database);
});
beforeEach(async () => {
  ann = await Visitor.signedIn(service, 1);
  await ann.get(PATH);
});
afterEach(() => ledger.run('DELETE FROM upstreams'));
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/** @returns the page after the upstream is added */
async function add(fields: Readonly<Record<string, string>> = FIELDS): Promise<string> {
  return (await ann.follow(await ann.post(PATH, fields))).text;
}

/** Returns the stored row of the only upstream. */
async function stored() {
  const [row] = await ledger.rows('SELECT * FROM upstreams');
  return row ?? {};
}

/** @returns the page when these columns are stored */
async function pageWith(columns: string): Promise<string> {
  await ledger.run(`UPDATE upstreams SET ${columns}`);
  return (await ann.get(PATH)).text;
}

describe('a user without a mirror', () => {
  it('sees a form', async () => {
    const { text } = await ann.get(PATH);
    expect(text).toContain('<h2 id="add-title">Connect a service</h2>');
    expect(text).toContain('aria-current="page">Import</a>');
    expect(text).toContain('<details class="field">');
  });

  it.each(CHANGES)('has nothing to %s', async (change) => {
    const { status, text } = await ann.post(`${PATH}/${change}`);
    expect(status).toBe(404);
    expect(text).toContain('You have not connected another service.');
  });
});

describe('a mirror', () => {
  it('is added, and about to read everything', async () => {
    const text = await add({ ...FIELDS, service: 'acme', processor: ' pay ' });
    expect(text).toContain('The other service is connected.');
    expect(text).toContain(`Import from ${URL} ${ACTIVE}`);
    expect(text).toMatch(/<progress aria-labelledby="progress-title">about to read everything</);
    expect(text).toContain('within seconds, every 10m');
    expect(text).toContain('acme for service, pay for processor');
    expect(await stored()).toMatchObject({ vendor_id: 1, wanted: 'full', every_seconds: 600 });
    expect((await ann.get(PATH)).text).not.toContain('The other service is connected.');
  });

  it('is paused, resumed, and asked to run', async () => {
    await add();
    const paused = await ann.follow(await ann.post(`${PATH}/pause`));
    expect(paused.text).toContain(PAUSED);
    expect(paused.text).not.toContain('Run now');
    expect(paused.text).toContain('<dt>Next run</dt><dd>when you resume it</dd>');
    expect(paused.text).not.toContain('<progress');
    const resumed = await ann.follow(await ann.post(`${PATH}/resume`));
    expect(resumed.text).toContain(ACTIVE);
    await ledger.run('UPDATE upstreams SET wanted = NULL');
    const run = await ann.follow(await ann.post(`${PATH}/run`));
    expect(run.text).toContain('About to read the last 3 days</h2>');
    expect(await stored()).toMatchObject({ wanted: 'recent' });
    const full = await ann.follow(await ann.post(`${PATH}/full`));
    expect(full.text).toContain('Everything is read again');
    expect(await stored()).toMatchObject({ wanted: 'full' });
  });

  it('is removed', async () => {
    await add();
    const { text } = await ann.follow(await ann.post(`${PATH}/remove`));
    expect(text).toContain('The connection was removed. What was read stays.');
    expect(text).toContain('Connect a service');
  });

  it('shows how far it is read', async () => {
    await add();
    const text = await pageWith(
      `run = 'full', wanted = NULL, first_day = '2024-01-10', last_day = '2025-06-20',
       next_day = '2025-03-31', listed = 12345, missing = 2, payments_seen = 1000,
       payments_total = 2001`,
    );
    expect(text).toContain('<dt>Subscriptions checked</dt><dd>1,000 of 2,001</dd>');
    expect(text).toContain('value="3" max="18">3 of 18 months</progress>');
    expect(text).toContain('Reading everything</h2>');
    expect(text).toContain('<dt>Transactions read</dt><dd>12,345</dd>');
    expect(text).toContain('2 of the transactions here');
    expect(text).toContain('<dt>Next run</dt><dd>now, every 10m</dd>');
  });

  it('shows its last run and the next one', async () => {
    await add();
    const text = await pageWith(
      `wanted = NULL, last_recent = '2025-06-20 10:00:01', last_full = '2025-06-19 09:00:02',
       next_try = '2025-06-20 10:10:03', last_payments = '2025-06-20 04:00:05',
       payments_seen = 7, payments_total = 7`,
    );
    expect(text).toContain('04:00:05');
    for (const time of ['10:00:01', '09:00:02', '10:10:03']) expect(text).toContain(time);
    expect(text).not.toContain('<progress');
    expect(text).toContain('<dd>0 in the last run</dd>');
    expect(text).toContain('<dt>Deleted at the source</dt><dd>none</dd>');
  });

  it('shows what went wrong, harmless', async () => {
    await add();
    const text = await pageWith(`failures = 3, problem = '<script>alert(1)</script>'`);
    expect(text).toContain('<span class="badge expired">failing</span>');
    expect(text).toContain('&lt;script>alert(1)&lt;/script>; 3 failures in a row');
    expect(text).not.toContain('<script>alert');
  });

  it('shows what was not stored or was changed, by kind, harmless', async () => {
    await add();
    const { id } = await stored();
    const row = (key: string) =>
      `(${Number(id)}, 'transaction ${key}', 'details not found', '<b>${key}</b>', NULL, '2025-06-01 00:00:00')`;
    await ledger.run(`INSERT INTO upstream_problems (upstream_id, subject, kind, text, day, seen)
      VALUES ${row('one')}, ${row('two')}`);
    const text = await pageWith('wanted = NULL');
    expect(text).toContain('<li>2 × details not found, first: &lt;b>one&lt;/b></li>');
    await ann.post(`${PATH}/remove`);
    expect(await ledger.rows('SELECT * FROM upstream_problems')).toEqual([]);
  });

  it('shows its address and is removed only after the password, in an old session', async () => {
    await add();
    expect((await ann.get(PATH)).text).not.toContain('/notify/');
    expect((await ann.post(`${PATH}/address`)).text).toMatch(ADDRESS);
    await ageSessionsOf(1, 11, ledger);
    for (const action of ['address', 'remove']) {
      const asked = await ann.post(`${PATH}/${action}`);
      expect(asked.text).toContain('<h1>Enter your password</h1>');
      expect(asked.text).not.toMatch(ADDRESS);
    }
    expect((await ann.get(PATH)).text).toContain(ACTIVE);
    expect((await ann.post(`${PATH}/address`, { password: PASSWORD })).text).toMatch(ADDRESS);
  });

  it('tells if its address cannot be read any more', async () => {
    await add();
    await ledger.run("UPDATE upstreams SET token = 'of another service'");
    const { status, text } = await ann.post(`${PATH}/address`);
    expect(status).toBe(200);
    expect(text).toContain('The address cannot be shown');
  });

  it('tells its key to nobody: on no page, and not in the audit log', async () => {
    const pages = [await add()];
    const [{ secret, token }] = [await stored()];
    for (const change of CHANGES) {
      const answer = await ann.post(`${PATH}/${change}`);
      pages.push(answer.text, (await ann.get(PATH)).text);
    }
    const refused = await ann.post(PATH, { ...FIELDS, url: 'http://x' });
    expect(refused.status).toBe(400);
    const audited = await ledger.rows("SELECT * FROM audit_log WHERE action LIKE 'upstream.%'");
    expect(audited.length).toBeGreaterThanOrEqual(6);
    const told = JSON.stringify([...pages, refused.text, audited]);
    for (const hidden of [KEY, secret, token]) expect(told).not.toContain(String(hidden));
  });

  it('of another user is neither shown nor changed', async () => {
    await add();
    const eve = await Visitor.signedIn(service, 2);
    const { text } = await eve.get(PATH);
    expect(text).toContain('Connect a service');
    expect(text).not.toContain(URL);
    for (const change of CHANGES) {
      expect((await eve.post(`${PATH}/${change}`)).status).toBe(404);
    }
    expect((await ann.get(PATH)).text).toContain(ACTIVE);
  });
});

describe('what cannot be', () => {
  it.each([
    [{ url: 'http://up.example/' }, 'url', 'https://'],
    [{ url: 'https://127.0.0.1/' }, 'url', 'not public'],
    [{ url: 'https://up.example/?a=1' }, 'url', 'no query'],
    [{ url: 'nonsense' }, 'url', 'https://'],
    [{ key: '' }, 'key', 'key must be the text of an API key.'],
    [{ key: 'two words' }, 'key', 'key must be the text of an API key.'],
    [{ every: '0' }, 'every', 'It must be 1 to 1440 minutes.'],
    [{ every: '1441' }, 'every', 'It must be 1 to 1440 minutes.'],
    [{ every: '5.5' }, 'every', 'It must be 1 to 1440 minutes.'],
    [{ every: 'ten' }, 'every', 'It must be 1 to 1440 minutes.'],
    [{ service: 'a b' }, 'service', 'It must be a word such as acme.'],
    [{ processor: '"><b>' }, 'processor', 'It must be a word such as acme.'],
  ])(
    '%j is told at its field, and what was entered stays, but the key',
    async (wrong, name, told) => {
      const fields = { ...FIELDS, ...wrong };
      const { status, text } = await ann.post(PATH, fields);
      expect(status).toBe(400);
      const problem = `id="field-${name}-problem">`;
      expect(text.slice(text.indexOf(problem)).split('</p>')[0]).toContain(told);
      expect(text.match(/-problem">/g)).toHaveLength(1);
      expect(text).toContain(`value="${fields.url}"`);
      expect(text).toContain(`value="${fields.every}"`);
      expect(text).not.toContain(KEY);
      expect(text).toContain('Enter it again.');
      expect(await ledger.rows('SELECT id FROM upstreams')).toEqual([]);
    },
  );

  it('a service that does not answer, unless the vendor wants it anyway', async () => {
    const { status, text } = await ann.post(PATH, { ...FIELDS, unchecked: '' });
    expect(status).toBe(400);
    expect(text).toContain('The other service cannot be read: the address is not public.');
    expect(text).toContain('<input type="checkbox" name="unchecked"/>');
    expect(await ledger.rows('SELECT id FROM upstreams')).toEqual([]);
    expect(await add()).toContain('The other service is connected.');
  });

  it('a second mirror', async () => {
    await add();
    const { status, text } = await ann.post(PATH, { ...FIELDS, url: 'https://up.example' });
    expect(status).toBe(400);
    expect(text).toContain('You have connected a service already.');
    expect(await stored()).toMatchObject({ url: URL });
  });
});

describe('with VENDOR_UPSTREAMS=off', () => {
  it('a vendor adds no mirror, and still manages the one that the operator added', async () => {
    const off = await service.beside({ VENDOR_UPSTREAMS: 'off' });
    await off.app.get(MirrorLoopService).beforeApplicationShutdown();
    try {
      const visitor = await Visitor.signedIn(off, 1);
      const page = await visitor.get(PATH);
      expect(page.status).toBe(200);
      expect(page.text).toContain('The operator of this service connects other services.');
      expect(page.text).not.toContain('Connect a service');
      expect((await visitor.post(PATH, FIELDS)).status).toBe(403);
      expect(await ledger.rows('SELECT id FROM upstreams')).toEqual([]);
      const other = await Visitor.signedIn(service, 1);
      await other.get(PATH);
      await other.post(PATH, FIELDS);
      await visitor.signIn('user1@example.test');
      expect((await visitor.get(PATH)).text).toContain(`Import from ${URL}`);
      expect((await visitor.post(`${PATH}/pause`)).status).toBe(303);
    } finally {
      await off.app.close();
    }
  });
});
