import { expect } from '@jest/globals';
import { PASSWORD, Visitor } from '../browser/visitor.js';
import { AFFILIATE, NEW, OTHER, VENDOR } from '../builders/all-records.js';
import type { RecordedService } from '../servers/recorded-service.js';
import type { UpstreamWorks } from './works-of-upstreams.js';
import { manageTwoFactor, useTwoFactor } from './works-of-sign-in.js';
import { useWebhookPages } from './works-of-webhooks.js';
import { ageSessionsOf } from './session-age.js';

/** Does everything that users do on their account pages. */
export async function useAccountPages(
  recorded: RecordedService,
  upstream: UpstreamWorks,
): Promise<void> {
  await lookAtTracking(recorded);
  for (const user_id of [VENDOR, AFFILIATE]) {
    let work = 'sign-in';
    const visitor = new Visitor({ send: (request) => recorded.send(work, request) });
    expect((await visitor.signIn(`user${user_id}@example.test`)).status).toBe(303);
    const role = user_id === VENDOR ? 'vendor' : 'affiliate';
    work = `reports of ${role === 'vendor' ? 'a vendor' : 'an affiliate'}`;
    await lookAtReports(visitor, role);
    work = 'page of a transaction';
    await lookAtTransactions(visitor, user_id === VENDOR ? ['T27'] : ['T27', 'foreign-2']);
    work = 'earnings of an affiliate';
    if (user_id === AFFILIATE) await lookAtEarnings(visitor);
    work = 'affiliates';
    if (user_id === VENDOR) await lookAtAffiliates(visitor);
    if (user_id === VENDOR) {
      work = 'subscriptions';
      await lookAtSubscriptions(visitor);
    }
    work = `search of ${role === 'vendor' ? 'a vendor' : 'an affiliate'}`;
    await searchSales(visitor, role);
    work = 'API applications';
    if (user_id === VENDOR) await manageApplications(visitor, recorded);
    work = 'webhooks';
    if (user_id === VENDOR) await useWebhookPages(visitor);
    work = 'mirror';
    if (user_id === VENDOR) await upstream.usePages(visitor, recorded);
    work = 'two-factor sign-in and sessions';
    if (user_id === VENDOR) await useTwoFactor(recorded, visitor, user_id);
    work = 'data protection';
    if (user_id === VENDOR) await lookAtReads(visitor);
    work = 'password and sign-out';
    await visitor.get('/account/security');
    const password = 'an entirely other password';
    const fields = { password: PASSWORD, new_password: password };
    expect((await visitor.post('/account/security/password', fields)).status).toBe(303);
    await visitor.get('/account/security');
    const end = user_id === VENDOR ? '/account/sign-out' : '/account/security/sign-out-everywhere';
    expect((await visitor.post(end)).status).toBe(303);
  }
  await manageTwoFactor(recorded, NEW);
}

async function lookAtReports(visitor: Visitor, role: string): Promise<void> {
  const see = async (path: string) => {
    const answer = await visitor.get(`/account/reports${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text;
  };
  const partner = role === 'vendor' ? AFFILIATE : OTHER;
  await see('?range=all-time');
  if (role === 'vendor') {
    for (const sales of ['', '?of=product-10', `?of=affiliate-${AFFILIATE}`]) {
      await see(`/cohorts${sales}`);
      await see(`/cohorts.csv${sales}`);
    }
  }
  for (const refunds of ['sale', 'refund']) {
    const query = `?from=2025-05-03&to=2026-12-20&refunds=${refunds}`;
    for (const by of ['day', 'week', 'month']) await see(`${query}&by=${by}&as=${role}`);
    await see(`${query}&top=change&as=${role}`);
    const narrowed = role === 'vendor' ? ['&tid=a', `&product=10&partner=${partner}`] : [];
    for (const filter of ['&product=10', `&partner=${partner}`, ...narrowed]) {
      await see(`${query}${filter}&as=${role}`);
      await see(`${query}${filter}&top=change&as=${role}`);
    }
    await see(`/transactions${query}&as=${role}&figure=affiliate_commissions&commission=UNPAID`);
    for (const kind of ['all', 'sales', 'pending', 'refunds', 'chargebacks']) {
      for (const filter of ['', '&product=10', `&partner=${partner}`]) {
        const list = `/transactions${query}&as=${role}&kind=${kind}${filter}`;
        await see(list);
        for (const cursor of ['after-2025-06-20T08:00:00-1-1', 'before-2025-06-01T08:00:00-1-1']) {
          await see(`${list}&cursor=${cursor}`);
        }
        await see(list.replace('transactions', 'transactions.csv'));
      }
    }
    const names = `/transactions${query}&as=${role}&partner=user&email=buyer@example.test`;
    expect((await visitor.get(`/account/reports${names}`)).text).toContain('id="field-partner"');
  }
}

/** Opens the pages of transactions. One of them is the last payment of a subscription with many. */
async function lookAtTransactions(visitor: Visitor, own: readonly string[]): Promise<void> {
  for (const id of [...own, 'none']) {
    const { status } = await visitor.get(`/account/transactions/${id}`);
    expect([id, status]).toEqual([id, id === 'none' ? 404 : 200]);
  }
}

/** Opens the pages with what an affiliate earns. */
async function lookAtEarnings(visitor: Visitor): Promise<void> {
  const path = '/account/earnings';
  expect((await visitor.get(path)).status).toBe(200);
  for (const range of ['range=all-time', 'from=2025-06-02&to=2026-12-20', `partner=${OTHER}`]) {
    for (const refunds of ['sale', 'refund']) {
      const query = `?${range}&refunds=${refunds}`;
      expect((await visitor.get(`${path}/tracking${query}`)).status).toBe(200);
    }
  }
}

/** Opens the pages of affiliates with ranges of whole months and of days. */
async function lookAtAffiliates(visitor: Visitor): Promise<void> {
  const see = async (path: string) => {
    const answer = await visitor.get(`/account/affiliates${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
  };
  const ranges = ['range=all-time', 'from=2025-05-03&to=2026-12-20&refunds=refund'];
  for (const range of ranges) {
    for (const path of ['', '.csv', `/${AFFILIATE}`]) await see(`${path}?${range}&sort=name`);
  }
  await see('/payouts.csv');
  expect((await visitor.get('/account/affiliates/999999')).status).toBe(404);
  const terms = `/account/affiliates/${AFFILIATE}/terms`;
  await see(`/${AFFILIATE}/terms?product=10`);
  for (const custom_commission of ['11', '12']) {
    const fields = { product: '10', approval_status: 'DELAYED', custom_commission };
    expect((await visitor.post(terms, fields)).status).toBe(303);
  }
}

async function lookAtSubscriptions(visitor: Visitor): Promise<void> {
  const path = '/account/subscriptions';
  const places = ['2025-06-20T08:00:00', 'undated'];
  const cursors = places.flatMap((place) => [`after-${place}-`, `before-${place}-`]);
  for (const list of ['active', 'canceled', 'completed', 'other']) {
    for (const cursor of ['', ...cursors]) {
      const { status } = await visitor.get(`${path}?list=${list}&cursor=${cursor}`);
      expect([list, status]).toEqual([list, 200]);
    }
  }
  const filters = [
    'due=late',
    'due=2025-06-20',
    'product=10',
    'customer=BUYER%40example.test',
    'customer=a',
    'customer=lookup',
  ];
  for (const filter of filters) {
    expect((await visitor.get(`${path}?${filter}`)).status).toBe(200);
  }
  expect((await visitor.get(`${path}/PRE-1`)).status).toBe(200);
  // The subscription was canceled through the API.
  expect((await visitor.get(`${path}/PRE-1/cancel`)).status).toBe(303);
  expect((await visitor.post(`${path}/PRE-1/cancel`)).status).toBe(303);
}

async function lookAtReads(visitor: Visitor): Promise<void> {
  const before = `before=${encodeURIComponent('2099-01-01 00:00:00 0123456789abcdef 1')}`;
  for (const query of ['', 'transaction=T27&from=2025-01-01&to=9999-12-31', before]) {
    expect((await visitor.get(`/account/data-protection?${query}`)).status).toBe(200);
  }
}

async function lookAtTracking(recorded: RecordedService): Promise<void> {
  let work = 'sign-in';
  const visitor = new Visitor({ send: (request) => recorded.send(work, request) });
  expect((await visitor.signIn(`user${NEW}@example.test`)).status).toBe(303);
  work = 'tracking';
  const path = '/account/tracking';
  for (const range of [
    'range=all-time',
    'from=2025-05-03&to=2026-12-20',
    'from=2025-05-03&to=2025-05-04',
  ]) {
    for (const refunds of ['sale', 'refund']) {
      for (const field of ['tid', 'utm_medium']) {
        const query = `?${range}&field=${field}&refunds=${refunds}`;
        for (const kind of ['', '.csv']) {
          expect((await visitor.get(path + kind + query)).status).toBe(200);
        }
      }
    }
  }
}

/**
 * Texts to search for: an id, too few characters, and the beginnings of ids and of email addresses.
 */
const SEARCHED = ['T10', 'T', 'for', 'customer@'];

async function searchSales(visitor: Visitor, role: string): Promise<void> {
  const see = async (path: string) => {
    const answer = await visitor.get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text;
  };
  const list = `/account/reports/transactions?from=2025-05-03&to=2026-12-20&as=${role}`;
  const filter = '&amount_from=-1000000&amount_to=1000000&status=settled&tid=none';
  for (const refunds of ['sale', 'refund']) {
    await see(`${list}&refunds=${refunds}${filter}`);
    await see(`${list}&refunds=${refunds}${filter}&cursor=before-2025-06-01T08:00:00-1-1`);
  }
  await see(`${list}&refunds=refund&status=refunded`);
  for (const figure of ['service_fees', 'commissions', 'agent_commissions', 'jv_commissions']) {
    await see(`${list}&figure=${figure}`);
  }
  await see(`${list}&figure=other`);
  await see('/account/search');
  for (const text of SEARCHED) {
    await see(`/account/search?q=${text}`);
    const page = await see(`/account/search?q=${text}&as=${role}`);
    const next = /href="([^"]+)" rel="next"/.exec(page)?.[1];
    if (next !== undefined) await see(next.replaceAll('&amp;', '&'));
  }
  if (role === 'vendor') {
    await visitor.get('/account/customers?email=customer@example.test');
    await see('/account/customers?name=ada%20b');
  }
}

async function manageApplications(visitor: Visitor, recorded: RecordedService): Promise<void> {
  const path = '/account/applications';
  await visitor.get(path);
  const fields = { name: 'Mine', access: 'full', expires: '', addresses: '' };
  const made = await visitor.post(path, fields);
  const own = String(made.headers.location).split('?')[0] ?? '';
  await visitor.get(own);
  await ageSessionsOf(VENDOR, 11, recorded.ledger);
  await visitor.post(`${own}/key`, { password: PASSWORD });
  for (const [change, fields] of [
    ['change', { name: 'Mine, too', access: 'read', mcp_writes: 'on' }],
    ['change', { expires: '', addresses: '127.0.0.1' }],
    ['rotate', { overlap: '1h' }],
    ['end-overlap', {}],
    ['revoke', {}],
  ] as const) {
    expect((await visitor.post(`${own}/key`)).status).toBe(200);
    expect((await visitor.post(`${own}/${change}`, fields)).status).toBe(303);
  }
}
