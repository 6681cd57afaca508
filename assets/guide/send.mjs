import { readFileSync, writeFileSync } from 'node:fs';

const { BASE_URL, API_KEY } = process.env;
const Authorization = `Basic ${Buffer.from(`${API_KEY}:x`).toString('base64')}`;
const [BATCH, MOST_TRIES, LONGEST_WAIT] = [1000, 10, 60];

/** Sends records until the service has answered. Records that are sent twice change nothing. */
async function send(records) {
  for (let tried = 1; ; tried += 1) {
    let wait = Math.min(LONGEST_WAIT, 2 ** tried) * (0.5 + Math.random() / 2);
    let reason;
    let isFinal = tried === MOST_TRIES;
    try {
      const response = await fetch(`${BASE_URL}/ledger/v1/records`, {
        method: 'POST',
        headers: { Authorization, 'Content-Type': 'application/x-ndjson' },
        body: records.join('\n'),
        signal: AbortSignal.timeout(150_000),
      });
      const { meta, results } = await response.json();
      if (response.ok) return results;
      const { code, message, detail } = meta.status;
      reason = `${code} ${message}: ${detail}`;
      // Any other error would occur again.
      isFinal ||= response.status !== 429 && response.status < 500;
      wait = Number(response.headers.get('Retry-After') ?? wait);
    } catch (error) {
      reason = error.message;
    }
    if (isFinal) throw new Error(reason);
    console.error(`${reason}; trying again in ${Math.ceil(wait)} s`);
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
}

const records = readFileSync('sales.ndjson', 'utf8').split('\n').filter(Boolean);
const rejected = [];
for (let at = 0; at < records.length; at += BATCH) {
  const batch = records.slice(at, at + BATCH);
  for (const { line, key, verdict, problem } of await send(batch)) {
    console.log(key, verdict);
    if (verdict !== 'rejected') continue;
    console.error(`${key}: ${problem}`);
    rejected.push(batch[line - 1]);
  }
}
// Correct these records, or send them again once the records that they refer to exist.
writeFileSync('rejected.ndjson', rejected.map((record) => `${record}\n`).join(''));
