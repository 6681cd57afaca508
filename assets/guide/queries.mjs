import { get } from './client.mjs';

const query = 'min_amount=40&start_date=2025-06-01&end_date=2025-06-30&limit=100';
let after = '';
do {
  const { body } = await get(`/ledger/v1/transactions?${query}${after}`);
  // A page may be empty and have a next one: see meta.searched_to.
  for (const { transaction_id, amount } of body.results) console.log(transaction_id, amount);
  const { next_cursor } = body.meta;
  after = next_cursor === null ? null : `&after=${next_cursor}`;
} while (after !== null);
