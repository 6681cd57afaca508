import { get } from './client.mjs';

const figures = 'measures=sales,gross,refund_rate&group_by=product&interval=month';
const range = 'start_date=2025-06-01&end_date=2025-06-30';
const { body } = await get(`/ledger/v1/figures?${figures}&${range}`);
for (const { interval, group, measures } of body.results) {
  console.log(interval.start_date, group.id, measures.sales, measures.gross);
}
