import { createWriteStream, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { request } from './client.mjs';

const { body, headers } = await request('/ledger/v1/transactions.ndjson');
await pipeline(body, createWriteStream('transactions.ndjson'));
const cursor = headers.get('X-Ledger-Cursor');
// Written last: a cursor means that the file is complete.
writeFileSync('cursor.txt', cursor);
console.log(`${headers.get('X-Ledger-Count')} transactions, cursor ${cursor}`);
