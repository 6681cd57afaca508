// Makes a call of each operation, with its real answer, for the OpenAPI documents and the README.
import {
  API_VERSIONS,
  DeliveriesService,
  demoLedger,
  NO_APPLICATION,
  OPERATOR,
  OWN_WORDS,
  UpstreamsService,
  VERSIONS,
  WebhooksService,
} from '../dist/internals.js';
import { VENDOR, withDemoService } from './demo-service.mjs';

/** Ids that are also in the demo data of a later day, so that readers can send the same calls. */
const LASTING_IDS = new Set(
  [...demoLedger(new Date('2027-06-30T00:00:00Z'))].map(({ transaction_id }) => transaction_id),
);

/** User id of an affiliate of the demo data who is not a vendor. */
const AFFILIATE = 2008;

const AT = '2025-06-30T18:03:12+00:00';
/** Fields that differ in each run, with their fixed values. */
const SETTLED = { changed_at: AT };
const TAKEN = { status: 204, problem: null, answer: '' };
const RECEIVER = 'https://shop.example/hook';
const SETTLED_OF_WEBHOOKS = {
  url: RECEIVER,
  created: AT,
  next_try: AT,
  sent: AT,
  duration_ms: 87,
  secret: `whsec_${'A'.repeat(43)}=`,
};
const SETTLED_OF_ACTIVITY = { id: 4711, time: '2025-07-01T09:30:00+00:00', application_id: 12 };
/** Fields that differ in each run by a part of the path; every path has the last part. */
const SETTLED_BY_PATH = [
  ['/webhooks', SETTLED_OF_WEBHOOKS],
  ['/activity', SETTLED_OF_ACTIVITY],
  ['/', SETTLED],
];
const SKIPPED_BODY = { webhook_id: `msg_${'A'.repeat(43)}` };
const SKIPPED = {
  cursor: '4712',
  skipped: { ...SKIPPED_BODY, first_sequence: 4711, last_sequence: 4712, changes: 2 },
};
const TOKEN = 'A'.repeat(32);
const IS_FILE = /\.\w+$/;

/**
 * Calls `use` with the examples and the client that sent them. An example has `operation`
 * (`GET /v2.1/products/names`), `method`, `path`, `key`, `body` and `answer`.
 */
export function withExampleAnswers(use) {
  return withDemoService(async (caller) => use(await exampleAnswers(caller), caller));
}

async function exampleAnswers(caller) {
  const vendor = await caller.keyOf(VENDOR);
  const june = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30';
  const listed = (await caller.call('GET', `${june}&page_size=200`, vendor)).results;
  const sales = listed.filter(({ transaction_id }) => LASTING_IDS.has(transaction_id));
  const [newest, second] = sales;
  const { affiliate_id, product_id } = await knownRelationship(caller, vendor, sales);
  const [, lastButOne] = sales.filter(({ affiliate }) => affiliate?.id === affiliate_id);
  const relationship = `${affiliate_id}/products/${product_id}`;
  const recurring = `/v2.0/recurring_payment/${await activePreKey(caller, vendor, sales)}`;
  const source = await caller.sourceKeyOf(VENDOR);
  const notify = await notifyPathIn(caller);
  const terms = { approval_status: 'INSTANT', custom_commission: 60 };
  const calls = [
    ['GET', '/v3.0', vendor],
    ['GET', `${june}&page_size=1`, vendor],
    ['GET', `/v3.0/transactions/${newest.transaction_id}`, vendor],
    ['GET', '/v2.1', vendor],
    ['GET', `/v2.1/affiliates/${relationship}`, vendor],
    ['PUT', `/v2.1/affiliates/${relationship}`, vendor, terms],
    ['GET', `/v2.1/affiliatestats/${relationship}`, vendor],
    ['GET', '/v2.1/products/names', vendor],
    ['GET', `/v2.1/transaction/details/${newest.transaction_id}`, vendor],
    ['GET', '/v2.0', vendor],
    ['GET', `/v2.0/products/${product_id}/affiliates/${affiliate_id}`, vendor],
    ['GET', recurring, vendor],
    ['PUT', recurring, vendor, { status: 'CANCEL' }],
    ['GET', `/v2.0/transactions/summaries/${newest.transaction_id}`, vendor],
    ['GET', '/ledger/v1/activity?kinds=relationships&limit=1', vendor],
    [
      'GET',
      `/v2.0/latest-affiliates-transactions/${lastButOne.transaction_id}`,
      await caller.keyOf(affiliate_id),
    ],
    ['GET', `/v2.0/latest-transactions/${second.transaction_id}`, vendor],
    ['GET', '/ledger/v1', source],
    ['GET', '/ledger/v1/changes?kinds=transaction&limit=1', vendor],
    ['GET', '/ledger/v1/transactions?start_date=2025-06-01&end_date=2025-06-30&limit=1', vendor],
    ['GET', '/ledger/v1/recurring_payments?limit=1', vendor],
    ['GET', '/ledger/v1/relationships?limit=1', vendor],
    ['GET', '/ledger/v1/affiliates?limit=1', vendor],
    ['GET', `/ledger/v1/customers?email=${newest.customer.email}`, vendor],
    ['GET', '/ledger/v1/earnings', await caller.keyOf(affiliate_id)],
    ['GET', '/ledger/v1/earnings/tracking', await caller.keyOf(affiliate_id)],
    ...FIGURE_PATHS.map((path) => ['GET', path, vendor]),
    ['POST', '/ledger/v1/records', source, recordsToSend(newest)],
    ...webhookCalls(vendor, () => failingDeliveryIn(caller)),
    ['GET', notify, null],
    ['POST', notify, null, { paykey: 'PA-EXAMPLE-1' }],
  ];
  const operations = await operationsOf(caller, vendor);
  const examples = [];
  for (const [method, path, key, given] of calls) {
    const body = typeof given === 'function' ? await given() : given;
    const answer = await caller.call(method, path, key, body);
    if (answer.meta.status.code !== 2000) throw new Error(`${method} ${path} failed`);
    const operation = operationOf(operations, method, path);
    for (const result of answer.results) settle(result, path);
    settleDays(answer, path);
    if (path.endsWith('/skip')) Object.assign(body, SKIPPED_BODY);
    examples.push({ operation, method, path: settledPath(path), key, body, answer });
  }
  assertEveryOperation(operations, examples);
  return examples;
}

const FIGURE_PATHS = [
  '/ledger/v1/figures?start_date=2025-06-01&end_date=2025-06-30&group_by=product&compare=previous_period',
  '/ledger/v1/figures/catalogue',
  '/ledger/v1/figures/unpaid',
  '/ledger/v1/figures/renewals',
  '/ledger/v1/figures/cohorts?until=2025-06',
];

/**
 * Returns the calls of the webhook operations. The first endpoint has the id 1, and is paused
 * before there is anything to send.
 */
function webhookCalls(key, failingDelivery) {
  const all = '/ledger/v1/webhooks';
  const one = `${all}/1`;
  return [
    ['POST', all, key, { url: RECEIVER, from: 'now' }],
    ['PATCH', one, key, { state: 'paused' }],
    ['GET', all, key],
    ['GET', one, key],
    ['GET', `${one}/secret`, key],
    ['POST', `${one}/rotate`, key, {}],
    ['POST', `${one}/test`, key, {}],
    ['POST', `${one}/skip`, key, failingDelivery],
    ['POST', `${one}/replay`, key, { from: '2025-06-01' }],
    ['DELETE', one, key],
  ];
}

/**
 * Makes a delivery to the first endpoint fail, at an address that is never called, and pauses it.
 */
async function failingDeliveryIn({ app }) {
  const webhooks = app.get(WebhooksService);
  const by = { user_id: VENDOR, application_id: NO_APPLICATION };
  await webhooks.edit(VENDOR, 1, { url: 'https://localhost/hook' }, by);
  await webhooks.replay(VENDOR, 1, null, by);
  await webhooks.edit(VENDOR, 1, { state: 'active' }, by);
  await app.get(DeliveriesService).deliver(1, AbortSignal.timeout(60_000));
  await webhooks.edit(VENDOR, 1, { state: 'paused' }, by);
  const { webhook_id } = await webhooks.failingOf(await webhooks.get(VENDOR, 1));
  return { webhook_id };
}

/**
 * Adds an upstream that is never read, and returns its notification path. Its user is not a vendor,
 * since a vendor's changes would be sent to it.
 */
async function notifyPathIn({ app }) {
  const upstreams = app.get(UpstreamsService);
  const upstream = { key: 'key', words: OWN_WORDS, every_seconds: 300 };
  const by = { user_id: OPERATOR, application_id: NO_APPLICATION };
  const url = 'https://reports.example';
  const { id } = await upstreams.add(AFFILIATE, { url, ...upstream }, by);
  await upstreams.setState(id, 'paused', by);
  return upstreams.notifyPathOf(AFFILIATE);
}

function settledPath(path) {
  return path.replace(/(?<=\/notify\/).*/, TOKEN);
}

/**
 * Gives the fields that differ in each run a fixed value. A test gets the answer of a receiver,
 * although there is none.
 */
function settle(result, path) {
  if (path.endsWith('/test')) Object.assign(result, TAKEN);
  if (path.endsWith('/skip')) Object.assign(result, SKIPPED);
  const [, settled] = SETTLED_BY_PATH.find(([part]) => path.includes(part));
  for (const [name, value] of Object.entries(settled)) {
    if (name in result && result[name] !== null) result[name] = value;
  }
}

/** Replaces the days that depend on today. */
function settleDays({ meta, results }, path) {
  if (path.includes('/cohorts')) meta.newer = null;
  if (!path.endsWith('/renewals')) return;
  results.forEach((due, index) => {
    due.date = `2025-07-${String(index + 1).padStart(2, '0')}`;
  });
}

/** Returns a sale of an existing product, and one of a product that does not exist. */
function recordsToSend({ product_id, product_name }) {
  const sale = {
    type: 'transaction',
    transaction_id: 'PA-EXAMPLE-1',
    product_id,
    product_name,
    sale_date: '2025-06-30T14:03:11-04:00',
    amount: '47.00',
    status: 'completed',
    customer: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Byron' },
    payouts: {
      seller_earnings: '42.30',
      affiliate_payout: '0.00',
      agent_payout: '0.00',
      jv_payout: '0.00',
      service_fee: '4.70',
    },
  };
  return [sale, { ...sale, transaction_id: 'PA-EXAMPLE-2', product_id: 999_999_999 }];
}

/** Returns the operations that `GET /v3.0` and its counterparts list, and these themselves. */
async function operationsOf(caller, key) {
  const operations = [];
  for (const version of VERSIONS) {
    const { path } = API_VERSIONS[version];
    const [described] = (await caller.call('GET', path, key)).results;
    operations.push({ method: 'GET', path }, ...described.operations);
  }
  return operations;
}

function operationOf(operations, method, target) {
  const found = operations.find((operation) => {
    const pattern = operation.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/?]+');
    return operation.method === method && new RegExp(`^${pattern}(\\?|$)`).test(target);
  });
  if (found === undefined) throw new Error(`${method} ${target} matches no operation`);
  return `${found.method} ${found.path}`;
}

/** @throws Error if an operation has no example; files need none */
function assertEveryOperation(operations, examples) {
  for (const { method, path } of operations) {
    if (IS_FILE.test(path)) continue;
    if (!examples.some(({ operation }) => operation === `${method} ${path}`)) {
      throw new Error(`${method} ${path} has no example`);
    }
  }
}

async function knownRelationship(caller, key, sales) {
  for (const { affiliate, product_id } of sales) {
    if (affiliate === null) continue;
    const own = sales.filter((sale) => sale.affiliate?.id === affiliate.id);
    const answer = await caller.call(
      'GET',
      `/v2.1/affiliates/${affiliate.id}/products/${product_id}`,
      key,
    );
    if (own.length > 1 && answer.meta.status.code === 2000) {
      return { affiliate_id: affiliate.id, product_id };
    }
  }
  throw new Error('the demo data has no relationship to show');
}

async function activePreKey(caller, key, sales) {
  for (const { transaction_id } of sales) {
    const [{ pre_key }] = (
      await caller.call('GET', `/v2.1/transaction/details/${transaction_id}`, key)
    ).results;
    if (pre_key === null) continue;
    const [payment] = (await caller.call('GET', `/v2.0/recurring_payment/${pre_key}`, key)).results;
    if (payment.status === 'ACTIVE') return pre_key;
  }
  throw new Error('the demo data has no active recurring payment to show');
}
