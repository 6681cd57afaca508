// Loaded into the service's processes by a test: notes each statement as the driver of the database
// gets it, with the work that it is for: as the last request said in X-Test-Work, else TEST_WORK.
import crypto from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import SqliteConnection from 'better-sqlite3';
import { mysql } from '../../../dist/internals.js';

// A link is made at once, so that its statements are noted for the request that asked for it.
crypto.randomInt = (
  (randomInt) => (least, most) =>
    most === undefined ? randomInt(least) : 0
)(crypto.randomInt);
syncBuiltinESMExports();

const noted = new Set();
let ofRequest;

function note(asked) {
  // What TypeORM sends has its names in quotation marks.
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
