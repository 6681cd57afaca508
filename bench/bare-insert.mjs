// Copies `transactions` with bare multi-row INSERTs into a table of the same definition. Prints the
// milliseconds of the INSERTs, without reading the rows.
import mysql from 'mysql2';

const ROWS_OF_A_STATEMENT = 100;
const STATEMENTS_OF_A_TRANSACTION = 5;
const ROWS_OF_A_TRANSACTION = ROWS_OF_A_STATEMENT * STATEMENTS_OF_A_TRANSACTION;

const options = { uri: process.env.DATABASE_URL, dateStrings: true, rowsAsArray: true };
const [reader, writer] = [mysql.createConnection(options), mysql.createConnection(options)];
const connection = writer.promise();
await connection.query('CREATE TABLE bare_transactions LIKE transactions');
const [described] = await connection.query({
  sql: 'SHOW COLUMNS FROM bare_transactions',
  rowsAsArray: false,
});
// The database derives the other columns.
const names = described
  .filter(({ Extra }) => !Extra.startsWith('VIRTUAL GENERATED'))
  .map(({ Field }) => Field);
const columns = names.join(', ');
const row = `(${names.map(() => '?').join(', ')})`;
const insert = (count) =>
  `INSERT INTO bare_transactions (${columns}) VALUES ${Array(count).fill(row).join(', ')}`;

// A ledger of a million rows does not fit into memory, so the rows are read while others are
// inserted.
const rows = reader
  .query(`SELECT ${columns} FROM transactions ORDER BY arrival`)
  .stream({ highWaterMark: ROWS_OF_A_TRANSACTION });
let taken = 0;
let part = [];
for await (const one of rows) {
  part.push(one);
  if (part.length === ROWS_OF_A_TRANSACTION) await insertAll();
}
if (part.length > 0) await insertAll();
console.log(taken);
await connection.query('DROP TABLE bare_transactions');
reader.destroy();
await connection.end();

async function insertAll() {
  const begun = performance.now();
  await connection.beginTransaction();
  for (let at = 0; at < part.length; at += ROWS_OF_A_STATEMENT) {
    const some = part.slice(at, at + ROWS_OF_A_STATEMENT);
    await connection.execute(insert(some.length), some.flat());
  }
  await connection.commit();
  taken += performance.now() - begun;
  part = [];
}
