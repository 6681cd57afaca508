// Runs a service under mixed requests, and reports whether its resident memory stays constant and
// how long another vendor waits. With --attack it sends hostile requests. docs/benchmarks.md
// explains the results. Usage: `npm run bench:soak -- [--minutes 20] [--rate 300] [--attack]`
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantile } from './measure.mjs';
import { ledgerLines, USERS } from './soak-ledger.mjs';
import { attacks, Browser, mix, SlowReaders } from './soak-requests.mjs';

const FIRST_MINUTES = 2;
const MOST_GROWTH_MIB = 30;
const LOOK_MS = 5_000;
const PORT = 3_977;
const PASSWORD = 'a password of the soak';
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '300' },
    attack: { type: 'boolean', default: false },
  },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const environment = {
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  REQUIRE_HTTPS: 'off',
  LOG_LEVEL: 'error',
  DATABASE_URL: `sqlite:${join(folder, 'ledger.sqlite')}`,
  KEY_ENCRYPTION_SECRET: 'a secret of the soak, 32 or more',
  MANAGEMENT_PORT: 'off',
  // X-Forwarded-For sets the client address: a soak uses many addresses, an attack one.
  TRUST_PROXY: '1',
  PORT: String(PORT),
};

function cli(args, input = '') {
  const { status, stdout, stderr } = spawnSync('node', ['dist/cli.js', ...args], {
    env: environment,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** There are enough sockets, so that no request waits for a connection. */
const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });
const vendorsOwn = new Agent({ keepAlive: true });

/** @returns the status, the headers, the body and the duration */
function send({ path, headers = {}, method = 'GET', body, by = agent }) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const options = {
      agent: by,
      port: PORT,
      host: '127.0.0.1',
      path,
      headers,
      method,
      timeout: 30_000,
    };
    const sent = request(options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', () => undefined);
      response.on('close', () => {
        const text = Buffer.concat(chunks).toString();
        const ms = performance.now() - begun;
        resolve({ status: response.statusCode, headers: response.headers, text, ms });
      });
    });
    sent.on('error', () =>
      resolve({ status: 0, headers: {}, text: '', ms: performance.now() - begun }),
    );
    sent.end(body);
  });
}

function residentMib(pid) {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(kib) / 1_024);
}

writeFileSync(join(folder, 'ledger.ndjson'), ledgerLines());
cli(['import', join(folder, 'ledger.ndjson')]);
const keys = USERS.map(
  (id) => JSON.parse(cli(['keys', 'create', '--user', String(id), '--name', 'soak', '--json'])).key,
);
for (const id of USERS.slice(0, 4)) cli(['users', 'set-password', String(id)], PASSWORD);
const service = spawn('node', ['--max-semi-space-size=8', 'dist/main.js'], {
  env: environment,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = new Promise((resolve) => service.once('exit', resolve));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => service.kill());
while ((await send({ path: '/v3.0' })).status === 0) await wait(100);

const browsers = USERS.slice(0, 4).map(
  (id) => new Browser(send, `user${id}@example.test`, PASSWORD),
);
for (const browser of browsers) await browser.signIn();
const slow = new SlowReaders(PORT, keys);
const [victim, ...others] = keys;
const counts = new Map();
const waits = [];
const memory = [];
let inFlight = 0;
const begun = performance.now();
const elapsed = () => performance.now() - begun;
const isOver = () => elapsed() > minutes * 60_000;

/** Runs another vendor, who requests a page ten times a second. */
async function vendor() {
  for (; !isOver(); await wait(100)) {
    const headers = { Authorization: basic(victim), 'X-Forwarded-For': '203.0.113.77' };
    const path = `/v3.0/transactions?start_date=2026-01-01&end_date=2026-12-31&page=${1 + Math.floor(Math.random() * 5)}`;
    const { status, ms } = await send({ path, headers, by: vendorsOwn });
    if (status !== 200) console.log(`the other vendor got status ${status}`);
    waits.push(ms);
  }
}

function basic(key) {
  return `Basic ${Buffer.from(`${key}:x`).toString('base64')}`;
}

async function watch() {
  for (; !isOver(); await wait(LOOK_MS)) {
    memory.push({ minute: elapsed() / 60_000, mib: residentMib(service.pid) });
    if (memory.length % 12 === 1) {
      console.log(`${memory.at(-1).minute.toFixed(1)} min: ${memory.at(-1).mib} MiB`);
    }
  }
}

async function load() {
  const next = values.attack ? attacks : mix;
  for (let sent = 0; !isOver();) {
    const due = Math.floor((elapsed() / 1_000) * rate);
    for (; sent < due && inFlight < 2_000; sent += 1) {
      inFlight += 1;
      next({ send, keys: others, browsers, basic }).then((status) => {
        inFlight -= 1;
        counts.set(status, (counts.get(status) ?? 0) + 1);
      });
    }
    sent = Math.max(sent, due);
    await wait(10);
  }
}

await Promise.all([vendor(), watch(), load(), slow.run(isOver)]);
service.kill();
await ended;
rmSync(folder, { recursive: true });
const later = memory.filter(({ minute }) => minute >= FIRST_MINUTES).map(({ mib }) => mib);
const growth = Math.max(...later) - Math.min(...later);
waits.sort((left, right) => left - right);
console.log('answers by status:', Object.fromEntries([...counts].sort()));
console.log(
  `the other vendor: ${waits.length} calls, half within ${quantile(waits, 0.5).toFixed(1)} ms, 99 in 100 within ${quantile(waits, 0.99).toFixed(1)} ms`,
);
if (later.length > 0) {
  console.log(
    `memory after ${FIRST_MINUTES} minutes: ${Math.min(...later)} to ${Math.max(...later)} MiB, ${growth} apart (at most ${MOST_GROWTH_MIB})`,
  );
}
process.exit(growth <= MOST_GROWTH_MIB || later.length === 0 ? 0 : 1);
