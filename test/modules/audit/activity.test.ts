/** Tests that an account sees its entries of the audit log: on the pages, by API, and as CSV. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, make } from '../../support/browser/application-pages.js';
import { Visitor } from '../../support/browser/visitor.js';
import { affiliation, product, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { basic } from '../../support/http/http.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { TestService } from '../../support/servers/service.js';

const [ANN, BOB, CAROL, LENA, PRODUCT] = [1, 2, 3, 7, 12];
const TERMS = `/v2.1/affiliates/${LENA}/products/${PRODUCT}`;
const SUBJECT = `affiliate ${LENA}, product ${PRODUCT}`;
const TODAY = new Date().toISOString().slice(0, 10);

interface Entry {
  readonly time: string;
  readonly by: string;
  readonly application_id: number | null;
  readonly kind: string;
  readonly action: string;
  readonly subject: string;
  readonly changes: readonly object[];
}

interface Page {
  readonly meta: { readonly next_cursor: string | null };
  readonly results: readonly Entry[];
}

let service: TestService;
let ledger: TestLedger;
let ann: Visitor;
let key: string;
let shownKey: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(ANN),
    user(BOB),
    user(CAROL),
    user(LENA, { display_name: 'Lena' }),
    product(PRODUCT, ANN),
    affiliation(LENA, PRODUCT),
  ]);
  ledger = TestLedger.on(service.database);
  ann = await Visitor.signedIn(service, ANN);
  key = await service.key(ANN);
  for (const custom_commission of [40, 50]) {
    const body = JSON.stringify({ approval_status: 'INSTANT', custom_commission });
    const headers = { ...basic(key), 'Content-Type': 'application/json' };
    const { status } = await service.send({ method: 'PUT', path: TERMS, headers, body });
    expect(status).toBe(200);
  }
  const path = await make(ann, { name: 'Bookkeeping' });
  shownKey = await keyOf(ann, path);
  await ann.post(`${path}/change`, { addresses: '192.0.2.7' });
  await ledger.cli(['users', 'require-two-factor', String(BOB)]);
  // The operator's import of another record changes what Ann had set.
  await service.import([
    affiliation(LENA, PRODUCT, { custom_sales_page_url: 'https://a.example' }),
  ]);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

async function pageOf(query: string, by = key) {
  const answer = await service.get(`/ledger/v1/activity?${query}`, by);
  expect(answer.status).toBe(200);
  const { meta, results: entries } = JSON.parse(answer.text) as Page;
  return { meta, entries, text: answer.text };
}

const actionsIn = (entries: readonly Entry[]) => entries.map(({ action }) => action);

describe('the activity of an account', () => {
  it('has who changed what, and from what to what, newest first', async () => {
    const { entries, meta } = await pageOf('kinds=relationships');
    expect(meta).toMatchObject({ total_count: 3, searched_to: null, next_cursor: null });
    expect(actionsIn(entries)).toEqual([
      'affiliation.import',
      'affiliation.set',
      'affiliation.set',
    ]);
    expect(entries.map(({ by }) => by)).toEqual(['operator', 'account', 'account']);
    expect(entries[1]).toMatchObject({
      kind: 'relationships',
      subject: SUBJECT,
      application_id: expect.any(Number),
      changes: [{ field: 'custom_commission', before: '40', after: '50' }],
    });
  });

  it('is filtered by subject and by day, and comes page by page', async () => {
    const all = await pageOf(`start_date=${TODAY}&end_date=${TODAY}&limit=200`);
    expect(all.entries.length).toBeGreaterThan(5);
    expect((await pageOf('end_date=2020-01-01')).entries).toEqual([]);
    expect((await pageOf(`subject=${encodeURIComponent(SUBJECT)}`)).entries).toHaveLength(3);
    const walked: Entry[] = [];
    for (let after = ''; after !== 'null';) {
      const { entries, meta } = await pageOf(`limit=2${after && `&after=${after}`}`);
      walked.push(...entries);
      after = meta.next_cursor ?? 'null';
    }
    expect(walked).toEqual(all.entries);
  });

  it('has no secret, and nothing of another account', async () => {
    const { text, entries } = await pageOf('limit=200');
    expect(text).not.toContain(shownKey);
    expect(text).not.toContain('password_hash');
    expect(actionsIn(entries)).toContain('key.show');
    expect(actionsIn(entries)).not.toContain('two_factor.require');
    const bob = await pageOf('limit=200', await service.key(BOB));
    expect(bob.entries.filter(({ action }) => action === 'two_factor.require')).toEqual([
      expect.objectContaining({
        by: 'operator',
        changes: [{ field: 'required', before: 'false', after: 'true' }],
      }),
    ]);
    expect(bob.text).not.toContain(SUBJECT);
  });

  it('hides addresses from keys without full access', async () => {
    const full = await pageOf('kinds=applications');
    expect(full.text).toContain('192.0.2.7');
    for (const access of ['read', 'masked'] as const) {
      const { text, entries } = await pageOf('kinds=applications', await service.key(ANN, access));
      expect(text).not.toContain('192.0.2.7');
      expect(actionsIn(entries)).toContain('key.allow');
    }
  });

  it('is CSV for those who ask for it, without limit', async () => {
    const headers = { ...basic(key), Accept: 'text/csv' };
    const { status, text } = await service.send({
      path: '/ledger/v1/activity?kinds=relationships&limit=1',
      headers,
    });
    expect(status).toBe(200);
    expect(text.split('\r\n')).toEqual([
      'time,by,application_id,kind,action,subject,changes',
      expect.stringContaining('affiliation.import'),
      expect.stringContaining(`"${SUBJECT}",Commission in percent: 40 → 50`),
      expect.stringContaining(`"${SUBJECT}"`),
      '',
    ]);
  });

  it.each([
    ['kinds=keys', 'kinds'],
    ['start_date=2025-02-30', 'start_date'],
    ['start_date=2025-02-03&end_date=2025-02-01', 'end_date'],
    ['after=x', 'after'],
    ['limit=201', 'limit'],
    ['user_id=2', 'user_id'],
  ])('rejects %s', async (query, field) => {
    const answer = await service.get(`/ledger/v1/activity?${query}`, key);
    expectFailure(answer, 4001, 'ledger-1');
    expect(answer.text).toContain(field);
  });

  it('rejects the cursor of another filter', async () => {
    const { meta } = await pageOf('limit=1');
    const path = `/ledger/v1/activity?limit=1&kinds=relationships&after=${meta.next_cursor}`;
    expectFailure(await service.get(path, key), 4001, 'ledger-1');
  });
});

describe('the page of activity', () => {
  it('says in words who changed what, and links to it', async () => {
    const { text } = await ann.get('/account/activity?kind=relationships');
    expect(text).toMatch(
      /data-label="Who".*?>API application tests<.*?data-label="What".*?>Changed affiliate terms: <a/s,
    );
    expect(text).toMatch(/>The operator <.*?>Changed affiliate terms by an import: <a/s);
    expect(text.split('>runs this service<')).toHaveLength(2);
    expect(text).toContain('Commission: 40% → 50%');
    expect(text).toContain(
      `/account/affiliates/${LENA}/terms?product=${PRODUCT}">Lena, Product ${PRODUCT}</a>`,
    );
    expect(text).not.toContain('Bookkeeping');
    expect(text).not.toContain('Not expected?');
    const file = await ann.get('/account/activity.csv?kind=relationships');
    expect(file.text.split('\r\n')).toHaveLength(5);
    expect(file.text).toContain('Commission in percent: 40 → 50');
  });

  it('has values in the words of the pages, in its file, too, and the API its own', async () => {
    for (const path of ['/account/activity', '/account/activity.csv']) {
      const { text } = await ann.get(`${path}?kind=applications`);
      expect(text).toContain('Access: Read and write');
    }
    const headers = { ...basic(key), Accept: 'text/csv' };
    const api = await service.send({ path: '/ledger/v1/activity?kinds=applications', headers });
    expect(api.text).toContain('Access: full');
  });

  it('shows the last changes of a thing on its page, and leads to all of them', async () => {
    const { text } = await ann.get(`/account/affiliates/${LENA}/terms?product=${PRODUCT}`);
    expect(text).toContain('Commission: 40% → 50%');
    expect(text).toContain('API application tests');
    const [, all = ''] = /href="(\/account\/activity\?subject=[^"]*)"/.exec(text) ?? [];
    const page = await ann.get(all);
    expect(page.text).toContain(`Only changes of Lena, Product ${PRODUCT}.`);
    expect(page.text).not.toContain('Showed a key');
    const carol = await Visitor.signedIn(service, CAROL);
    expect((await carol.get(all)).text).toContain(`Only changes of ${SUBJECT}.`);
  });

  it('leads to a new password beside what others changed of the sign-in', async () => {
    const { text } = await ann.get('/account/activity?kind=sign_in');
    expect(text).toMatch(
      />Set a new password for you<.*?data-label="Details".*?<span class="hint"> Not expected\? <a href="\/account\/security">/s,
    );
  });

  it('folds its filter on a phone, until one is set', async () => {
    expect((await ann.get('/account/activity')).text).toContain('href="#filter">Filter</a>');
    const { text } = await ann.get('/account/activity?kind=webhooks');
    expect(text).toContain('<div id="filter" class="foldable open">');
    expect(text).toContain('href="/account/activity.csv?kind=webhooks"');
  });

  it('says that nothing matches, and names a wrong day', async () => {
    const none = await ann.get('/account/activity?kind=upstreams');
    expect(none.text).toContain('No such changes.');
    const wrong = await ann.get('/account/activity?from=yesterday');
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('Enter a date such as 2030-12-31.');
  });
});
