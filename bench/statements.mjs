// Defines the statements of the targets that do the least possible work, and their connections.
import mysql from 'mysql2';
import { LIST_COLUMNS } from './columns.mjs';

const POOL_SIZE = 10;
const SELECT = `SELECT ${LIST_COLUMNS.join(', ')} FROM transactions`;
// Otherwise MariaDB sometimes reads all rows of the vendor, and a floor needs the best plan every
// time.
const BY_SALE = `${SELECT} FORCE INDEX (transactions_by_sale)`;
export const STATEMENTS = {
  '/page': [
    `${BY_SALE} WHERE vendor_id = ? AND sale_date <= ? ORDER BY sale_date DESC, arrival DESC LIMIT 50`,
    ['vendor', 'at'],
  ],
  '/feed': [
    `${BY_SALE} WHERE vendor_id = ? AND sale_date > ? ORDER BY sale_date, arrival LIMIT 100`,
    ['vendor', 'at'],
  ],
  '/single': [`${SELECT} WHERE transaction_id = ?`, ['id']],
  '/statistics': [
    `SELECT COUNT(*), SUM(amount), SUM(affiliate_payout), MIN(sale_date), MAX(sale_date)
     FROM transactions WHERE affiliate_id = ? AND product_id = ?`,
    ['affiliate', 'product'],
  ],
};

export const pool = mysql.createPool({
  uri: process.env.DATABASE_URL,
  connectionLimit: POOL_SIZE,
  dateStrings: true,
  rowsAsArray: true,
});
