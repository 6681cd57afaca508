// Runs (b) the naive service: Fastify and mysql2, an OR over two columns, COUNT and OFFSET.
import { createHash } from 'node:crypto';
import fastify from 'fastify';
import mysql from 'mysql2/promise';
import { LIST_COLUMNS, PAYOUT_FIELDS, REFUND_AMOUNT_FIELDS, TRACKING_FIELDS } from './columns.mjs';

const POOL_SIZE = 10;
const STATUS = { completed: 'settled', charged_back: 'chargeback' };
const COLUMNS = LIST_COLUMNS.map((column) => `t.${column}`).join(', ');
const SELECT = `SELECT ${COLUMNS}, u.display_name FROM transactions t
  LEFT JOIN users u ON u.id = t.affiliate_id`;
const IN_RANGE =
  't.vendor_id = ? AND (t.sale_date BETWEEN ? AND ? OR t.refund_date BETWEEN ? AND ?)';

const pool = mysql.createPool({
  uri: process.env.DATABASE_URL,
  connectionLimit: POOL_SIZE,
  dateStrings: true,
});
const select = async (sql, values) => (await pool.execute(sql, values))[0];
const app = fastify();

app.addHook('onRequest', async (request, reply) => {
  const [, credentials = ''] = (request.headers.authorization ?? '').split(' ');
  const [key] = Buffer.from(credentials, 'base64').toString().split(':');
  const [owner] = await select(
    `SELECT a.user_id FROM api_keys k JOIN api_applications a ON a.id = k.application_id
     WHERE k.key_hash = ? AND a.state = 'active'`,
    [createHash('sha256').update(key).digest('hex')],
  );
  if (owner === undefined) return reply.code(401).send({ results: [null] });
  request.vendor = owner.user_id;
});

app.get('/v3.0', () => envelope('3.0', [{}]));

app.get('/v3.0/transactions', async ({ vendor, query }) => {
  const page_size = Number(query.page_size ?? 50);
  const page_index = Number(query.page_index ?? 0);
  const range = [`${query.start_date} 00:00:00`, `${query.end_date} 23:59:59`];
  const values = [vendor, ...range, ...range];
  const [{ total_count }] = await select(
    `SELECT COUNT(*) AS total_count FROM transactions t WHERE ${IN_RANGE}`,
    values,
  );
  const skip = page_size * page_index;
  const rows = await select(
    `${SELECT} WHERE ${IN_RANGE} ORDER BY t.sale_date DESC, t.arrival DESC LIMIT ? OFFSET ?`,
    [...values, page_size, skip],
  );
  const pagination = { page_size, page_index, has_more: skip + page_size < total_count };
  return envelope('3.0', rows.map(present), { total_count, pagination });
});

app.get('/v3.0/transactions/:id', async ({ vendor, params }) => {
  const rows = await select(`${SELECT} WHERE t.vendor_id = ? AND t.transaction_id = ?`, [
    vendor,
    params.id,
  ]);
  return envelope('3.0', rows.map(present));
});

app.get('/v2.0/latest-transactions/:paykey', async ({ vendor, params }) => {
  const [after] = await select(
    'SELECT sale_date, arrival FROM transactions WHERE vendor_id = ? AND transaction_id = ?',
    [vendor, params.paykey],
  );
  const rows = await select(
    `${SELECT} WHERE t.vendor_id = ? AND (t.sale_date > ? OR (t.sale_date = ? AND t.arrival > ?))
     ORDER BY t.sale_date, t.arrival LIMIT 100`,
    [vendor, after.sale_date, after.sale_date, after.arrival],
  );
  return envelope('2.0', rows);
});

app.get('/v2.1/affiliatestats/:affiliate/products/:product', async ({ params }) => {
  const key = [params.affiliate, params.product];
  const [clicks] = await select(
    `SELECT SUM(clicks) AS clicks, SUM(unique_clicks) AS unique_clicks
     FROM daily_clicks WHERE affiliate_id = ? AND product_id = ?`,
    key,
  );
  const [sales] = await select(
    `SELECT COUNT(*) AS sales, SUM(status = 'refunded') AS refunds, SUM(amount) AS revenue,
       SUM(refund_amount) AS refund_amount, SUM(affiliate_payout) AS commission_earned,
       MIN(sale_date) AS first_sale_date, MAX(sale_date) AS last_sale_date
     FROM transactions WHERE affiliate_id = ? AND product_id = ?`,
    key,
  );
  return envelope('2.1', [{ ...clicks, ...sales }]);
});

await app.listen({ port: Number(process.env.PORT), host: process.env.HOST });

function envelope(api_version, results, more = {}) {
  const status = { http_status_code: 200, code: 2000, message: 'Success', detail: null };
  return { meta: { status, results_count: results.length, api_version, ...more }, results };
}

function present(row) {
  return {
    transaction_id: row.transaction_id,
    sale_date: moment(row.sale_date),
    product_id: row.product_id,
    product_name: row.product_name,
    amount: money(row.amount),
    status: STATUS[row.status] ?? row.status,
    customer: {
      email: row.customer_email,
      first_name: row.customer_first_name,
      last_name: row.customer_last_name,
    },
    affiliate:
      row.affiliate_id === null ? null : { id: row.affiliate_id, display_name: row.display_name },
    tracking: picked(row, TRACKING_FIELDS, (text) => text),
    payouts: picked(row, PAYOUT_FIELDS, money),
    refund:
      row.refund_date === null
        ? null
        : { refund_date: moment(row.refund_date), ...picked(row, REFUND_AMOUNT_FIELDS, money) },
  };
}

function picked(row, fields, change) {
  return Object.fromEntries(fields.map((field) => [field, change(row[field])]));
}

function money(cents) {
  return (cents / 100).toFixed(2);
}

function moment(text) {
  return `${text.replace(' ', 'T')}+00:00`;
}
