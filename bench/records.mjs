// Measures records over HTTP: rates by the size of a batch and the number of senders, single
// records while pages are read, and the memory of the service while many records stream in.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { makeKey, productionEnvironment } from './database.mjs';
import { BIG_VENDOR, ledgerFile } from './ledger.mjs';
import { residentMiB } from './parts.mjs';
import { run, serve } from './processes.mjs';

const NAME = 'bench_records';
/** Number of users, products and sales that exist before the measurement. */
const FIRST_ROWS = 1000;
const SIZES = [1, 100, 1000];
const SENDERS = [1, 8];
const SAMPLE_MS = 1000;
const PAGE = '/v3.0/transactions?start_date=2024-01-01&end_date=2025-12-31';

/** @param {string[]} service the command of `npm start`, without node */
export async function recordsPart({ database, service, rows, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-bench-'));
  try {
    await database.renew(NAME);
    const onMysql = await measured(database.urlOf(NAME), { service, rows, seconds });
    await database.drop(NAME);
    const url = `sqlite:${join(folder, 'bench.sqlite')}`;
    const onSqlite = await measured(url, { service, rows: 0, seconds });
    return { ...named(onMysql, 'mysql'), ...named(onSqlite, 'sqlite') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function named(figures, database) {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [`${database} ${name}`, value]),
  );
}

async function measured(url, { service, rows, seconds }) {
  const env = productionEnvironment(url);
  await run(['dist/cli.js', 'import', '-'], { env, input: ledgerFile(FIRST_ROWS) });
  const source = await makeKey(env, ['--source', 'bench']);
  const vendor = await makeKey(env, ['--user', String(BIG_VENDOR), '--name', 'bench']);
  const started = await serve(service, env, { path: '/ledger/v1', headers: source });
  const target = { origin: started.origin, source, vendor, next: nextRecords() };
  const figures = {};
  for (const size of SIZES) {
    for (const senders of SENDERS) {
      const { records } = await sendFor(target, { size, senders, seconds });
      figures[`records/s, batches of ${size}, senders ${senders}`] = records / seconds;
    }
  }
  figures['p99 ms of single records beside pages'] = await besidePages(target, seconds);
  if (rows > 0) Object.assign(figures, await memoryOf(target, started.pid, rows));
  await started.stop();
  return figures;
}

/** @returns {(size: number) => Promise<string>} the next new transactions, as NDJSON */
function nextRecords() {
  const lines = createInterface({ input: ledgerFile(10_000_000) })[Symbol.asyncIterator]();
  return async (size) => {
    const batch = [];
    while (batch.length < size) {
      const { value } = await lines.next();
      if (value.startsWith('{"type":"transaction"')) batch.push(value);
    }
    return batch.join('\n');
  };
}

/**
 * Sends until the time is over.
 * @returns the number of accepted records, and the times of the requests
 */
async function sendFor(target, { size, senders, seconds, most = Infinity }) {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  const times = [];
  let records = 0;
  const send = async () => {
    while (performance.now() < end && records < most) {
      const body = await target.next(size);
      const begun = performance.now();
      const { results } = await post(target, body, agent);
      times.push(performance.now() - begun);
      if (results.some(({ verdict }) => verdict !== 'inserted')) throw new Error('not inserted');
      records += results.length;
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  agent.destroy();
  return { records, times };
}

function post({ origin, source }, body, agent) {
  const headers = { ...source, 'content-type': 'application/x-ndjson' };
  return ask(`${origin}/ledger/v1/records`, { method: 'POST', headers, agent }, body);
}

function ask(url, options, body) {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Returns the 99th percentile of single records, while pages are read at half of the possible rate.
 */
async function besidePages(target, seconds) {
  const agent = new Agent({ keepAlive: true });
  const readPage = (at) =>
    ask(`${target.origin}${PAGE}&page_index=${at % 10}`, { headers: target.vendor, agent });
  let pages = 0;
  const end = performance.now() + seconds * 1000;
  const readAll = async () => {
    while (performance.now() < end) await readPage((pages += 1));
  };
  await Promise.all(Array.from({ length: 8 }, readAll));
  const pause = (2 * seconds * 1000) / pages;
  let isOver = false;
  const paced = async () => {
    const open = [];
    for (let due = performance.now(), at = 0; !isOver; due += pause, at += 1) {
      await wait(Math.max(0, due - performance.now()));
      open.push(readPage(at));
    }
    await Promise.all(open);
  };
  const reading = paced();
  const { times } = await sendFor(target, { size: 1, senders: 1, seconds });
  isOver = true;
  await reading;
  agent.destroy();
  return times.sort((left, right) => left - right)[Math.floor(times.length * 0.99)];
}

/**
 * Returns the resident memory while this many records stream in, in batches of 1,000 from 8
 * senders.
 */
async function memoryOf(target, pid, rows) {
  const samples = [];
  const timer = setInterval(() => samples.push(residentMiB(pid)), SAMPLE_MS);
  const begun = performance.now();
  const { records } = await sendFor(target, {
    size: 1000,
    senders: 8,
    seconds: Infinity,
    most: rows,
  });
  clearInterval(timer);
  const [lowest, highest] = [Math.min(...samples), Math.max(...samples)];
  return {
    'streamed records': records,
    'streamed records/s': records / ((performance.now() - begun) / 1000),
    'streamed MiB lowest': lowest,
    'streamed MiB highest': highest,
  };
}
