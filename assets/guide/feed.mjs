import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from './client.mjs';

let place = existsSync('place.txt') ? readFileSync('place.txt', 'utf8') : '';
for (;;) {
  const { headers, body } = await get(`/v2.0/latest-transactions/${encodeURIComponent(place)}`);
  if (headers.get('X-Paykey') === 'unknown') console.error('The place is unknown: from the start.');
  if (body.results.length === 0) break;
  for (const { date, transaction_id, price } of body.results) {
    console.log(date, transaction_id, price);
  }
  place = body.results.at(-1).transaction_id;
  writeFileSync('place.txt', place);
}
