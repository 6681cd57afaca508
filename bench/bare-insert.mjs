// Copies `transactions` with bare multi-row INSERTs into a table of the same definition. Prints the
// milliseconds of the INSERTs, without reading the rows.
import mysql from 'mysql2/promise';

const ROWS_OF_A_STATEMENT = 100;
const STATEMENTS_OF_A_TRANSACTION = 5;

const connection = await mysql.createConnection({
  uri: process.env.DATABASE_URL,
  dateStrings: true,
  rowsAsArray: true,
});
await connection.query('CREATE TABLE bare_transactions LIKE transactions');
const [described] = await connection.query({
  sql: 'SHOW COLUMNS FROM bare_transactions',
  rowsAsArray: false,
});
// The database derives the other columns.
const columns = described
  .filter(({ Extra }) => !Extra.startsWith('VIRTUAL GENERATED'))
  .map(({ Field }) => Field)
  .join(', ');
const [rows, fields] = await connection.query(
  `SELECT ${columns} FROM transactions ORDER BY arrival`,
);
const row = `(${fields.map(() => '?').join(', ')})`;
const insert = (count) =>
  `INSERT INTO bare_transactions (${columns}) VALUES ${Array(count).fill(row).join(', ')}`;

const begun = performance.now();
const step = ROWS_OF_A_STATEMENT * STATEMENTS_OF_A_TRANSACTION;
for (let from = 0; from < rows.length; from += step) {
  await connection.beginTransaction();
  for (let at = from; at < Math.min(from + step, rows.length); at += ROWS_OF_A_STATEMENT) {
    const part = rows.slice(at, Math.min(at + ROWS_OF_A_STATEMENT, from + step));
    await connection.execute(insert(part.length), part.flat());
  }
  await connection.commit();
}
console.log(performance.now() - begun);
await connection.query('DROP TABLE bare_transactions');
await connection.end();
