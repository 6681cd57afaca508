// Walks the feed of an affiliate's sales with a slash at the end of every address, until the first
// empty page. It repeats a call after any fault, and drops transactions that it has seen.
import { setTimeout as wait } from 'node:timers/promises';

const TRIES = 3;
const PAUSE_MS = 400;
const { API_ADDRESS, API_KEY } = process.env;
const Authorization = `Basic ${Buffer.from(`${API_KEY}:x`).toString('base64')}`;

async function page(path) {
  const told = [];
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const answer = await fetch(`${API_ADDRESS}${path}`, { headers: { Authorization } });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text).results;
    told.push(`${answer.status} ${text}`);
    await wait(PAUSE_MS);
  }
  throw new Error(told.join('\n'));
}

const sales = new Map();
const pages = [];
for (let after = ''; ;) {
  const results = await page(`/v2.0/latest-affiliates-transactions/${after}`);
  pages.push(results.length);
  if (results.length === 0) break;
  for (const sale of results) sales.set(sale.transaction_id, sale);
  after = `${encodeURIComponent(results.at(-1).transaction_id)}/`;
}
process.stdout.write(JSON.stringify({ pages, transaction_ids: [...sales.keys()] }));
