import { createConnection } from 'mysql2/promise';

/** Drops the database that template-of-mysql.mjs created. */
export default async function dropTemplate() {
  const template = process.env.TEST_TEMPLATE_MYSQL;
  const connection = await createConnection(template);
  await connection.query(`DROP DATABASE ${new URL(template).pathname.slice(1)}`);
  await connection.end();
}
