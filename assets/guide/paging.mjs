import { get } from './client.mjs';

const range = 'start_date=2025-06-01&end_date=2025-06-30&page_size=200';
for (let page_index = 0, has_more = true; has_more; page_index += 1) {
  const { body } = await get(`/v3.0/transactions?${range}&page_index=${page_index}`);
  for (const { transaction_id, payouts } of body.results) {
    console.log(transaction_id, payouts.seller_earnings);
  }
  ({ has_more } = body.meta.pagination);
}
