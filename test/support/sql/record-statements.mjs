// A test loads this module into the service's processes. It records each statement that the
// database driver receives, with its work: X-Test-Work of the last request, or else TEST_WORK.
import crypto from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import SqliteConnection from 'better-sqlite3';
import { mysql } from '../../../dist/internals.js';
import { noteStatements } from '../../../testing/host/note-statements.mjs';

// Links are created without delay, so that their statements are recorded for the request that
// caused them.
crypto.randomInt = (
  (randomInt) => (least, most) =>
    most === undefined ? randomInt(least) : 0
)(crypto.randomInt);
syncBuiltinESMExports();

const noted = new Set();
let ofRequest;

function note(sql) {
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

noteStatements({ sqlite: SqliteConnection.prototype, mysql: mysql.Connection.prototype }, note);
