const { BASE_URL, API_KEY } = process.env;
const credentials = Buffer.from(`${API_KEY}:x`).toString('base64');
const query = 'start_date=2025-06-01&end_date=2025-06-30&page_size=1';

const response = await fetch(`${BASE_URL}/v3.0/transactions?${query}`, {
  headers: { Authorization: `Basic ${credentials}` },
});
const { meta, results } = await response.json();
console.log(`${meta.total_count} transactions`);
for (const { sale_date, transaction_id, amount } of results) {
  console.log(sale_date, transaction_id, amount);
}
