// Runs (a) the floor: one prepared indexed query, rows as arrays, JSON.stringify. It has no key, no
// count and no join: the minimal cost of Node, the driver and the database for the same rows.
import { createServer } from 'node:http';
import { pool, STATEMENTS } from './statements.mjs';

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://floor');
  const statement = STATEMENTS[pathname];
  if (statement === undefined) return void response.writeHead(404).end();
  const [sql, names] = statement;
  const values = names.map((name) => searchParams.get(name));
  pool.execute(sql, values, (error, rows) => {
    if (error !== null) return void response.writeHead(500).end(error.message);
    const body = Buffer.from(JSON.stringify({ results: rows }));
    const type = 'application/json; charset=utf-8';
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
  });
}).listen(Number(process.env.PORT), process.env.HOST);
