// Starts the MariaDB of a run, with the ledger and its API keys.
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { findServer, startServer } from '../scripts/throwaway-mysql.mjs';
import { BIG_VENDOR, ledgerFile, SMALL_VENDOR } from './ledger.mjs';
import { run } from './processes.mjs';

const LEDGER = 'bench';
// The secret encrypts only the temporary keys of the benchmarks.
const SECRET = 'a secret for the bench only, of 32 characters and more';
const SETTLE_MS = 100;
const LONGEST_SETTLE_MS = 2000;
// The naive service gets an index on its second column; the optimizer ignores it for the others.
const NAIVE_INDEX = 'written_first_by_refund';

/**
 * The pool has space for most of the ledger, because the benchmarks measure programs and not disks.
 */
const bufferPoolFor = (rows) => (rows > 2_000_000 ? '4G' : rows > 200_000 ? '1G' : '256M');

export async function startDatabase({ rows, database }) {
  const program = findServer();
  if (program === null) throw new Error('the bench needs mariadbd or mysqld on the PATH');
  const keepIn = database === undefined ? undefined : resolve(database);
  const server = await startServer(program, { keepIn, bufferPool: bufferPoolFor(rows) });
  const admin = await mysql.createConnection({
    uri: server.url,
    rowsAsArray: true,
    dateStrings: true,
  });
  const select = async (sql, values = []) => (await admin.execute(sql, values))[0];
  return {
    url: server.url + LEDGER,
    urlOf: (name) => server.url + name,
    select,
    renew: async (name) => {
      await admin.query(`DROP DATABASE IF EXISTS ${name}`);
      await admin.query(`CREATE DATABASE ${name}`);
    },
    drop: (name) => admin.query(`DROP DATABASE ${name}`),
    settled: () => settled(select),
    warm: () => warm(select),
    showNaiveIndex: (shown) =>
      admin.query(
        `ALTER TABLE ${LEDGER}.transactions ALTER INDEX ${NAIVE_INDEX} ${shown ? 'NOT ' : ''}IGNORED`,
      ),
    addNaiveIndex: () =>
      admin.query(
        `CREATE INDEX IF NOT EXISTS ${NAIVE_INDEX} ON ${LEDGER}.transactions (vendor_id, refund_date) IGNORED`,
      ),
    stop: async () => {
      admin.destroy();
      await server.stop();
    },
  };
}

/** Returns the environment of the service and its commands, as in production. */
export function productionEnvironment(url) {
  return {
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    DATABASE_URL: url,
    KEY_ENCRYPTION_SECRET: SECRET,
    // Requests are counted as in production, but never reach the limits.
    THROTTLE_LIMITS: '1000000/1s,60000000/1m',
    THROTTLE_ADDRESS_LIMITS: '1000000/1s',
    // In production, a proxy terminates HTTPS; the loads connect directly.
    REQUIRE_HTTPS: 'off',
    MANAGEMENT_PORT: '0',
    // The container and the unit of systemd set it, too.
    MALLOC_ARENA_MAX: '2',
  };
}

/**
 * Imports the ledger unless it is already imported.
 * @returns {Promise<number | null>} the seconds that the import took
 */
export async function fill(database, rows) {
  const there = await database.select(
    'SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ? AND table_name = ?',
    [LEDGER, 'transactions'],
  );
  if (there[0][0] > 0) {
    const [[held]] = await database.select(`SELECT COUNT(*) FROM ${LEDGER}.transactions`);
    if (held === rows) return null;
    throw new Error(`the kept database has ${held} transactions, not ${rows}`);
  }
  await database.renew(LEDGER);
  const env = productionEnvironment(database.url);
  const { ms } = await run(['dist/cli.js', 'import', '-'], { env, input: ledgerFile(rows) });
  return ms / 1000;
}

/** @returns {Promise<{ big: object, small: object }>} the authentication header of each vendor */
export async function makeKeys({ url }) {
  const env = productionEnvironment(url);
  const headersOf = (user) => makeKey(env, ['--user', String(user), '--name', 'bench']);
  return { big: await headersOf(BIG_VENDOR), small: await headersOf(SMALL_VENDOR) };
}

/**
 * Makes a key with these options of `keys create`.
 * @returns {Promise<{ authorization: string }>} the authentication header
 */
export async function makeKey(env, options) {
  const { output } = await run(['dist/cli.js', 'keys', 'create', ...options, '--json'], { env });
  const credentials = Buffer.from(`${JSON.parse(output).key}:x`).toString('base64');
  return { authorization: `Basic ${credentials}` };
}

/** Reads every index once; otherwise a load that requests each row once would measure the disk. */
async function warm(select) {
  const indexes = await select(
    `SELECT DISTINCT index_name FROM information_schema.statistics
     WHERE table_schema = ? AND table_name = 'transactions' AND ignored = 'NO'`,
    [LEDGER],
  );
  for (const [name] of indexes) {
    await select(`SELECT COUNT(*) FROM ${LEDGER}.transactions FORCE INDEX (\`${name}\`)`);
  }
  await select(`SELECT SUM(amount) FROM ${LEDGER}.transactions`);
}

/** Waits for the last queries of a load, and kills slow ones, so that they do not slow down the next target. */
async function settled(select) {
  const busy = `SELECT id FROM information_schema.processlist
    WHERE command IN ('Query', 'Execute') AND id <> CONNECTION_ID()`;
  const limit = performance.now() + LONGEST_SETTLE_MS;
  for (let ids = await select(busy); ids.length > 0; ids = await select(busy)) {
    if (performance.now() > limit) {
      // A query that has ended cannot be killed.
      for (const [id] of ids) await select(`KILL QUERY ${id}`).catch(() => undefined);
    }
    await wait(SETTLE_MS);
  }
}
