const { BASE_URL, API_KEY } = process.env;

const response = await fetch(`${BASE_URL}/ledger/v1/webhooks`, {
  method: 'POST',
  headers: {
    Authorization: `Basic ${Buffer.from(`${API_KEY}:x`).toString('base64')}`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    url: 'https://shop.example/hook',
    reasons: ['refunded', 'charged_back', 'canceled'],
  }),
});
const { meta, results } = await response.json();
if (response.status >= 400) {
  const { code, message, detail } = meta.status;
  throw new Error(`${code} ${message}: ${detail}`);
}
console.log(results[0].id, results[0].secret);
