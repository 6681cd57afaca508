// (a) The floor: one prepared indexed query, rows as objects, JSON.stringify. No key, no count, no join: the
// minimal cost of Node, the driver and the database for the bytes that the service answers.
import { createServer } from 'node:http';
import mysql from 'mysql2';
import { presentTransaction } from '../dist/modules/transactions/rendered/transaction-3.0.presenter.js';
import { LIST_COLUMNS } from './columns.mjs';

const POOL_SIZE = 10;
const SELECT = `SELECT ${LIST_COLUMNS.join(', ')} FROM transactions`;
// Otherwise MariaDB sometimes reads all rows of the vendor; a floor needs the best plan every time.
const BY_SALE = `${SELECT} FORCE INDEX (transactions_by_sale)`;
const present = (row) => presentTransaction(row, null);
const asStored = (row) => row;
const STATEMENTS = {
  '/page': [
    `${BY_SALE} WHERE vendor_id = ? AND sale_date <= ? ORDER BY sale_date DESC, arrival DESC LIMIT 50`,
    ['vendor', 'at'],
    present,
  ],
  '/feed': [
    `${BY_SALE} WHERE vendor_id = ? AND sale_date > ? ORDER BY sale_date, arrival LIMIT 100`,
    ['vendor', 'at'],
    asStored,
  ],
  '/single': [`${SELECT} WHERE transaction_id = ?`, ['id'], present],
  '/statistics': [
    `SELECT COUNT(*), SUM(amount), SUM(affiliate_payout), MIN(sale_date), MAX(sale_date)
     FROM transactions WHERE affiliate_id = ? AND product_id = ?`,
    ['affiliate', 'product'],
    asStored,
  ],
};

const pool = mysql.createPool({
  uri: process.env.DATABASE_URL,
  connectionLimit: POOL_SIZE,
  dateStrings: true,
});

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://floor');
  const statement = STATEMENTS[pathname];
  if (statement === undefined) return void response.writeHead(404).end();
  const [sql, names, show] = statement;
  const values = names.map((name) => searchParams.get(name));
  pool.execute(sql, values, (error, rows) => {
    if (error !== null) return void response.writeHead(500).end(error.message);
    const body = Buffer.from(JSON.stringify({ results: rows.map(show) }));
    const type = 'application/json; charset=utf-8';
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
  });
}).listen(Number(process.env.PORT), process.env.HOST);
