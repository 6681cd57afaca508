const { BASE_URL, API_KEY } = process.env;
const credentials = Buffer.from(`${API_KEY}:x`).toString('base64');
const query = 'start_date=2025-06-30&end_date=2025-06-01';

const response = await fetch(`${BASE_URL}/v3.0/transactions?${query}`, {
  headers: { Authorization: `Basic ${credentials}` },
});
if (!response.ok) {
  const { http_status_code, code, message, detail } = (await response.json()).meta.status;
  console.log(`X-Request-Id: ${response.headers.get('X-Request-Id')}`);
  console.log(`${http_status_code} ${code} ${message}: ${detail}`);
}
