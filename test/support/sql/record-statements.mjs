// A test loads this module into the service's processes. It records each statement that the
// database driver receives, with its work: X-Test-Work of the last request, or else TEST_WORK.
import crypto from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import SqliteConnection from 'better-sqlite3';
import { mysql } from '../../../dist/internals.js';

// Links are created without delay, so that their statements are recorded for the request that
// caused them.
crypto.randomInt = (
  (randomInt) => (least, most) =>
    most === undefined ? randomInt(least) : 0
)(crypto.randomInt);
syncBuiltinESMExports();

const noted = new Set();
let ofRequest;

function note(asked) {
  // TypeORM quotes the names in its statements.
  const sql = asked.replaceAll(/[`"]/g, '');
  const work = ofRequest ?? process.env.TEST_WORK;
  const line = JSON.stringify({ work, sql });
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(process.env.TEST_STATEMENTS, `${line}\n`);
}

Server.prototype.emit = ((emit) =>
  function (event, ...args) {
    if (event === 'request') ofRequest = args[0].headers['x-test-work'] ?? ofRequest;
    return emit.call(this, event, ...args);
  })(Server.prototype.emit);

const { prototype: sqlite } = SqliteConnection;
sqlite.exec = noting(sqlite.exec);
sqlite.prepare = ((prepare) =>
  function (sql) {
    const statement = prepare.call(this, sql);
    for (const method of ['all', 'get', 'iterate', 'run']) {
      const run = statement[method];
      statement[method] = (...values) => {
        note(sql);
        return run.apply(statement, values);
      };
    }
    return statement;
  })(sqlite.prepare);

const { prototype: connection } = mysql.Connection;
connection.query = noting(connection.query);
connection.execute = noting(connection.execute);
connection.prepare = ((prepare) =>
  function (options, done) {
    return prepare.call(this, options, (error, statement) => {
      if (error === null) {
        const { execute } = statement;
        statement.execute = (...values) => {
          note(statement.query);
          return execute.apply(statement, values);
        };
      }
      done(error, statement);
    });
  })(connection.prepare);

function noting(method) {
  return function (sql, ...more) {
    note(typeof sql === 'string' ? sql : sql.sql);
    return method.call(this, sql, ...more);
  };
}
