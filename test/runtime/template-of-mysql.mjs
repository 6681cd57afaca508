import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import { migrate } from './migrate.mjs';

/** Creates the database whose tables test/support/sql/test-database.ts copies. */
export default async function makeTemplate() {
  const name = `vra_template_${randomBytes(6).toString('hex')}`;
  const connection = await createConnection(process.env.TEST_MYSQL_URL);
  await connection.query(`CREATE DATABASE ${name}`);
  const url = new URL(process.env.TEST_MYSQL_URL);
  url.pathname = `/${name}`;
  migrate(url.href);
  const [tables] = await connection.query(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ?',
    [name],
  );
  const names = tables.map((table) => table.name);
  const filled = [];
  for (const table of names) {
    const [rows] = await connection.query(`SELECT 1 FROM ${name}.${table} LIMIT 1`);
    if (rows.length > 0) filled.push(table);
  }
  await connection.end();
  process.env.TEST_TEMPLATE_MYSQL = url.href;
  process.env.TEST_TEMPLATE_TABLES = names.join(',');
  process.env.TEST_TEMPLATE_FILLED = filled.join(',');
}
