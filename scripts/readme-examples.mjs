// Writes a call and its real answer for each operation into README.md, by calling the built service
// on the demo ledger of one fixed day. `--check` writes nothing and fails where README.md differs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import prettier from 'prettier';
import { readSettings } from '../dist/config/settings.js';
import { createApp } from '../dist/configure-app.js';
import { ApiApplicationsService } from '../dist/modules/accounts/api-applications.service.js';
import { DemoService } from '../dist/modules/demo/demo.service.js';

const DAY = new Date('2025-06-30T00:00:00Z');
const VENDOR = 1001;
const BEGIN = '<!-- examples: written by scripts/readme-examples.mjs -->';
const END = '<!-- end of examples -->';

const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-readme-'));
const app = await createApp(
  readSettings({
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    THROTTLE_LIMITS: 'off',
    DATABASE_URL: `sqlite:${join(folder, 'ledger.sqlite')}`,
    KEY_ENCRYPTION_SECRET: 'of no use to anybody, and long enough',
  }),
);
try {
  await app.get(DemoService).load(DAY);
  await app.listen(0, '127.0.0.1');
  const written = await prettier.format(withExamples(await examples()), { parser: 'markdown' });
  if (process.argv.includes('--check')) {
    if (written !== readFileSync('README.md', 'utf8')) {
      console.error('README.md is not what the service answers: npm run readme');
      process.exitCode = 1;
    }
  } else writeFileSync('README.md', written);
} finally {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}

async function examples() {
  const vendor = await keyOf(VENDOR);
  const june = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30';
  const sales = (await call('GET', `${june}&page_size=200`, vendor)).results;
  const [newest, second] = sales;
  const { affiliate_id, product_id } = await knownRelationship(vendor, sales);
  const [, lastButOne] = sales.filter(({ affiliate }) => affiliate?.id === affiliate_id);
  const relationship = `${affiliate_id}/products/${product_id}`;
  const recurring = `/v2.0/recurring_payment/${await activePreKey(vendor, sales)}`;
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
    [
      'GET',
      `/v2.0/latest-affiliates-transactions/${lastButOne.transaction_id}`,
      await keyOf(affiliate_id),
    ],
    ['GET', `/v2.0/latest-transactions/${second.transaction_id}`, vendor],
  ];
  await demandEveryOperation(vendor, calls);
  const shown = [];
  for (const [method, path, key, body] of calls) {
    const answer = JSON.stringify(await call(method, path, key, body));
    const sent =
      body === undefined
        ? ''
        : ` -X ${method} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
    const command = `curl -u YOUR_KEY:x${sent} 'http://127.0.0.1:3000${path}'`;
    shown.push(`\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`json\n${answer}\n\`\`\`\n`);
  }
  return shown.join('\n');
}

/** An operation without an example is an error, so that none is forgotten. */
async function demandEveryOperation(key, calls) {
  for (const version of ['3.0', '2.1', '2.0']) {
    const [{ operations }] = (await call('GET', `/v${version}`, key)).results;
    for (const { method, path } of operations) {
      const pattern = new RegExp(
        `^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`,
      );
      if (!calls.some(([called, target]) => called === method && pattern.test(target))) {
        throw new Error(`${method} ${path} has no example`);
      }
    }
  }
}

async function knownRelationship(key, sales) {
  for (const { affiliate, product_id } of sales) {
    if (affiliate === null) continue;
    const own = sales.filter((sale) => sale.affiliate?.id === affiliate.id);
    const answer = await call(
      'GET',
      `/v2.1/affiliates/${affiliate.id}/products/${product_id}`,
      key,
    );
    if (own.length > 1 && answer.meta.status.code === 2000) {
      return { affiliate_id: affiliate.id, product_id };
    }
  }
  throw new Error('the demo ledger has no relationship to show');
}

async function activePreKey(key, sales) {
  for (const { transaction_id } of sales) {
    const [{ pre_key }] = (await call('GET', `/v2.1/transaction/details/${transaction_id}`, key))
      .results;
    if (pre_key === null) continue;
    const [payment] = (await call('GET', `/v2.0/recurring_payment/${pre_key}`, key)).results;
    if (payment.status === 'ACTIVE') return pre_key;
  }
  throw new Error('the demo ledger has no active recurring payment to show');
}

async function keyOf(user_id) {
  return (await app.get(ApiApplicationsService).createApplication(user_id, 'examples', null)).key;
}

async function call(method, path, key, body) {
  const response = await fetch((await app.getUrl()) + path, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`${key}:x`).toString('base64')}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

function withExamples(text) {
  const readme = readFileSync('README.md', 'utf8');
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('README.md has no place for the examples');
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${text}\n${readme.slice(end)}`;
}
