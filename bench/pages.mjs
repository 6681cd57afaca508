// Measures the account pages of a vendor that has every transaction of the ledger, over HTTP: each
// page with random ranges, filters and searches, on MariaDB and on SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URLSearchParams } from 'node:url';
import { productionEnvironment } from './database.mjs';
import { BIG_VENDOR, BIG_VENDOR_PRODUCTS, FIRST_DAY, productOf, seededRandom } from './ledger.mjs';
import { median } from './measure.mjs';
import {
  agreementOf,
  agreements,
  emailOf,
  FIRST_PARTNER,
  pagesLedger,
  surnameOf,
  SURNAMES,
  TIDS,
} from './pages-ledger.mjs';
import { run, serve } from './processes.mjs';

const NAME = 'bench_pages';
const PARTNERS = 1000;
const REQUESTS = 15;
const DAYS = 730;
const DAY_MS = 86_400_000;
const PASSWORD = 'a password of the bench only';
const TRACKED = ['utm_source', 'utm_campaign', 'tid', 'sub_id1'];

/** @param {string[]} service the command of `npm start`, without node */
export async function pagesPart({ database, service, rows, say }) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-bench-'));
  try {
    await database.renew(NAME);
    const onMysql = await measured(database.urlOf(NAME), { service, rows, say });
    await database.drop(NAME);
    const url = `sqlite:${join(folder, 'bench.sqlite')}`;
    const onSqlite = await measured(url, { service, rows, say });
    return { ...named(onMysql, 'mysql'), ...named(onSqlite, 'sqlite') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function named(figures, database) {
  const slowest = Math.max(...Object.values(figures).map(({ middle }) => middle));
  const each = Object.entries(figures).map(([name, { middle }]) => [
    `${database} ${name}, ms`,
    middle,
  ]);
  return { ...Object.fromEntries(each), [`${database} slowest page, ms`]: slowest };
}

async function measured(url, { service, rows, say }) {
  const env = productionEnvironment(url);
  const input = pagesLedger({ rows, partners: PARTNERS });
  const { ms } = await run(['dist/cli.js', 'import', '-'], { env, input });
  say(`  imported in ${Math.round(ms / 1000)} s`);
  return pageTimes(env, { service, rows, say });
}

/** @returns {Promise<object>} the median and the slowest time of each page, in ms */
export async function pageTimes(env, { service, rows, say }) {
  await run(['dist/cli.js', 'users', 'set-password', String(BIG_VENDOR)], { env, input: PASSWORD });
  const started = await serve(service, env, { path: '/account/sign-in', headers: {} });
  const browser = await signedIn(started.origin);
  const figures = {};
  for (const [name, paths] of Object.entries(await pathsOf(browser, rows))) {
    figures[name] = await timesOf(browser, paths);
    say(
      `  ${name}: ${figures[name].middle.toFixed(1)} ms, at most ${figures[name].most.toFixed(1)}`,
    );
  }
  await started.stop();
  return figures;
}

/**
 * Measures the answers of a page. The first one is not counted, because it prepares the statements.
 */
async function timesOf(get, paths) {
  const times = [];
  for (const path of paths) {
    const begun = performance.now();
    await get(path);
    times.push(performance.now() - begun);
  }
  return { middle: median(times.slice(1)), most: Math.max(...times.slice(1)) };
}

/**
 * @returns {Promise<(path: string) => Promise<string>>} a function that gets a page as the
 * signed-in vendor
 */
async function signedIn(origin) {
  const form = await fetch(`${origin}/account/sign-in`);
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const cookiesOf = (answer) => answer.headers.getSetCookie().map((line) => line.split(';')[0]);
  const email = 'vendor@partners.example';
  const answer = await fetch(`${origin}/account/sign-in`, {
    method: 'POST',
    headers: { cookie: cookiesOf(form).join('; ') },
    body: new URLSearchParams({ csrf_token, email, password: PASSWORD }),
    redirect: 'manual',
  });
  const headers = { cookie: [...cookiesOf(form), ...cookiesOf(answer)].join('; ') };
  return async (path) => {
    const page = await fetch(`${origin}${path}`, { headers, redirect: 'manual' });
    const text = await page.text();
    if (page.status !== 200) throw new Error(`${path} answered ${page.status}`);
    return text;
  };
}

async function pathsOf(get, rows) {
  const random = seededRandom(rows);
  const whole = (count) => Math.floor(random() * count);
  const oneOf = (items) => items[whole(items.length)];
  const day = (number) =>
    new Date(Date.parse(FIRST_DAY) + number * DAY_MS).toISOString().slice(0, 10);
  const range = () => {
    const [first, last] = [whole(DAYS), whole(DAYS)].sort((left, right) => left - right);
    return `from=${day(first)}&to=${day(last)}&refunds=${oneOf(['sale', 'refund'])}`;
  };
  const product = () => productOf(BIG_VENDOR, whole(BIG_VENDOR_PRODUCTS));
  const partner = () => FIRST_PARTNER + whole(PARTNERS);
  const agreement = () => agreementOf(whole(agreements(rows)));
  const surname = () => surnameOf(whole(SURNAMES));
  const list = await get('/account/reports/transactions?range=all-time');
  const ids = [...list.matchAll(/\/account\/transactions\/([^"?]+)[?"]/g)].map(([, id]) => id);
  const transactions = '/account/reports/transactions?';
  const makers = {
    reports: () => `/account/reports?${range()}&compare=${oneOf(['previous', 'year'])}`,
    'reports of all time': () => '/account/reports?range=all-time',
    'reports of a product': () => `/account/reports?${range()}&product=${product()}`,
    'reports of an affiliate': () => `/account/reports?${range()}&partner=${partner()}`,
    'reports of a product and an affiliate': () =>
      `/account/reports?${range()}&product=${product()}&partner=${partner()}`,
    'reports of a tid': () => `/account/reports?${range()}&tid=campaign-${whole(TIDS)}`,
    transactions: () => transactions + range(),
    refunds: () => `${transactions}${range()}&kind=refunds`,
    'transactions of a product': () => `${transactions}${range()}&product=${product()}`,
    'transactions of an affiliate': () => `${transactions}${range()}&partner=${partner()}`,
    'transactions by status': () =>
      `${transactions}${range()}&status=${oneOf(['settled', 'refunded'])}`,
    'transactions by amount': () => `${transactions}${range()}&amount_from=${20 + whole(180)}`,
    'transactions by e-mail': () => `${transactions}${range()}&email=${emailOf(whole(rows))}`,
    'the fees, sale by sale': () => `${transactions}${range()}&kind=all&figure=service_fees`,
    'a rare amount among refunds': () =>
      `${transactions}range=all-time&refunds=refund&kind=refunds&amount_from=${198 + whole(50)}`,
    'transactions by tid': () => `${transactions}${range()}&tid=campaign-${whole(TIDS)}`,
    'a transaction': () => `/account/transactions/${oneOf(ids)}`,
    cohorts: () => '/account/reports/cohorts',
    'cohorts of a product': () => `/account/reports/cohorts?of=product-${product()}&share=money`,
    'cohorts of an affiliate': () => `/account/reports/cohorts?of=affiliate-${partner()}`,
    'affiliates, random ranges': () => `/account/affiliates?${range()}`,
    'affiliates of all time': () => '/account/affiliates?range=all-time&sort=name',
    'an affiliate': () => `/account/affiliates/${partner()}?${range()}`,
    subscriptions: () =>
      `/account/subscriptions?list=${oneOf(['active', 'canceled', 'completed'])}`,
    'a subscription': () => `/account/subscriptions/${agreement()}`,
    'search by e-mail': () => `/account/search?q=${emailOf(whole(rows))}`,
    'search by the beginning of an e-mail': () => `/account/search?q=buyer.0${whole(10)}`,
    'search by the beginning of an id': () => `/account/search?q=PA-0${whole(10)}`,
    'search by a last name': () => `/account/search?q=${surname()}`,
    'search by the beginning of many names': () => '/account/search?q=lo',
    'customers of a last name': () => `/account/customers?name=${surname()}`,
    'a customer': () => `/account/customers?email=${emailOf(whole(agreements(rows)))}`,
    'search in vain': () => '/account/search?q=nobody@example.test',
    ...Object.fromEntries(
      TRACKED.map((field) => [
        `tracking by ${field}`,
        () => `/account/tracking?${range()}&field=${field}`,
      ]),
    ),
    'tracking by tid, all time': () => '/account/tracking?range=all-time&field=tid',
    'subscriptions of a product': () => `/account/subscriptions?product=${product()}`,
    'subscriptions of a last name': () => `/account/subscriptions?customer=${surname()}`,
    activity: () => '/account/activity',
    webhooks: () => '/account/webhooks',
    upstream: () => '/account/upstream',
    applications: () => '/account/applications',
    security: () => '/account/security',
  };
  return Object.fromEntries(
    Object.entries(makers).map(([name, path]) => [
      name,
      Array.from({ length: REQUESTS + 1 }, path),
    ]),
  );
}
