import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from './client.mjs';

const OVERLAP_DAYS = 60;
const dayOf = (time) => new Date(time).toISOString().slice(0, 10);
const first = dayOf(Date.now() - OVERLAP_DAYS * 86_400_000);
const range = `start_date=${first}&end_date=${dayOf(Date.now())}`;

const kept = existsSync('kept.json') ? JSON.parse(readFileSync('kept.json', 'utf8')) : {};
for (let page_index = 0, has_more = true; has_more; page_index += 1) {
  const { body } = await get(`/v3.0/transactions?${range}&page_size=200&page_index=${page_index}`);
  for (const sale of body.results) kept[sale.transaction_id] = sale;
  ({ has_more } = body.meta.pagination);
}
writeFileSync('kept.json', JSON.stringify(kept));
const refunded = Object.values(kept).filter(({ refund }) => refund !== null);
console.log(`${Object.keys(kept).length} kept, ${refunded.length} with a refund`);
