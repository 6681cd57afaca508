import { get } from './client.mjs';

const path = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30';
const first = await get(path);
console.log(first.status, first.body.meta.total_count);

const again = await get(path, { 'If-None-Match': first.headers.get('ETag') });
console.log(again.status, (again.body ?? first.body).meta.total_count);
