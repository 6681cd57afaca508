// Runs accounts that attack a service together, beside another vendor that works.
// docs/measurements/under-attack.md has the results. Usage: `npm run bench:hostile -- [--minutes 10]
// [--quiet-minutes 1] [--database mysql] [--only ATTACK,ATTACK]`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeKey, startDatabase } from './database.mjs';
import { hostileLedger, VENDOR, WITH_UPSTREAMS } from './hostile-ledger.mjs';
import { Work } from './hostile-work.mjs';
import { residentMiB } from './parts.mjs';
import { run, serve } from './processes.mjs';
import { makeCertificate, startReceiver } from './receiver.mjs';

const MOST_GROWTH_MIB = 60;
const MOST_MS = 250;
const MOST_TIMES = 10;
const THIRD_MINUTE = 2;
const KINDS_OF_UPSTREAMS = ['deep', 'many', 'slow'];
const SILENT_NAMES = 8;
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'quiet-minutes': { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
    only: { type: 'string' },
  },
});

const wanted = values.only?.split(',');
const isWanted = (attack) => wanted?.includes(attack) ?? true;

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const certificate = makeCertificate(folder, 'IP:127.0.0.1,DNS:receiver.test');
const database = values.database === 'mysql' ? await startDatabase({ rows: 100_000 }) : null;
await database?.renew('hostile');
const outside = await startOutside();
const env = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'error',
  DATABASE_URL: database?.urlOf('hostile') ?? `sqlite:${join(folder, 'ledger.sqlite')}`,
  KEY_ENCRYPTION_SECRET: 'a secret of the attacks, 32 or more',
  REQUIRE_HTTPS: 'off',
  MANAGEMENT_PORT: '0',
  WEBHOOK_NETWORKS: '127.0.0.0/8',
  NAME_SERVERS: `127.0.0.1:${outside.names}`,
  NODE_EXTRA_CA_CERTS: certificate.cert,
  ERASURES_FILE: join(folder, 'erasures.ndjson'),
};

/** @returns the ports of the hostile server and of the name server */
async function startOutside() {
  const files = [certificate.key, certificate.cert];
  const servers = spawn(process.execPath, ['bench/hostile-servers.mjs', ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => servers.kill());
  const [line] = await once(servers.stdout, 'data');
  return { ...JSON.parse(line), stop: () => servers.kill() };
}

/** @returns the authorization of each vendor and, as `sourceID`, of each vendor's source */
async function makeKeys() {
  const keys = {};
  for (const id of Object.values(VENDOR)) {
    keys[id] = (await makeKey(env, ['--user', String(id), '--name', 'hostile'])).authorization;
    const source = ['--source', `source ${id}`, '--vendor', String(id)];
    keys[`source${id}`] = (await makeKey(env, source)).authorization;
  }
  return keys;
}

async function addUpstreams() {
  const keyFile = join(folder, 'upstream-key');
  writeFileSync(keyFile, 'key-of-an-upstream', { mode: 0o600 });
  for (const [number, vendor] of WITH_UPSTREAMS.entries()) {
    const kind = KINDS_OF_UPSTREAMS[number % KINDS_OF_UPSTREAMS.length];
    const url = `https://127.0.0.1:${outside.hostile}/${kind}`;
    const options = ['--vendor', String(vendor), '--url', url, '--key-file', keyFile];
    await run(['dist/cli.js', 'upstreams', 'add', ...options, '--every', '1m'], { env });
  }
}

async function addWebhook(origin, authorization, url) {
  const answer = await fetch(`${origin}/ledger/v1/webhooks`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}

async function addWebhooks(origin, keys, receiver) {
  await addWebhook(origin, keys[VENDOR.working], `https://receiver.test:${receiver.port}/`);
  if (!isWanted('names')) return;
  for (const vendor of [VENDOR.manyWaiting, VENDOR.manyBodies]) {
    for (let number = 0; number < SILENT_NAMES; number += 1) {
      await addWebhook(origin, keys[vendor], `https://silent${number}.of${vendor}.test/`);
    }
    await addWebhook(origin, keys[vendor], `https://127.0.0.1:${outside.hostile}/silent`);
  }
}

function startAttacks(origin, keys) {
  const attacks = spawn(process.execPath, ['bench/hostile-attacks.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.once('exit', () => attacks.kill('SIGKILL'));
  attacks.stdin.end(JSON.stringify({ origin, keys, only: wanted }));
  return {
    stop: async () => {
      attacks.kill('SIGTERM');
      const [line] = await once(attacks.stdout, 'data');
      return JSON.parse(line);
    },
  };
}

/** @returns the mean resident memory of each minute */
async function watch(pid, minutes) {
  const means = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const samples = [];
    for (let second = 0; second < 60; second += 1) {
      samples.push(residentMiB(pid));
      await wait(1_000);
    }
    means.push(Math.round(samples.reduce((sum, each) => sum + each, 0) / samples.length));
    console.log(
      `minute ${minute + 1}: ${means.at(-1)} MiB, at most ${Math.round(Math.max(...samples))}`,
    );
  }
  return means;
}

await run(['dist/cli.js', 'import', '-'], { env, input: Readable.from(hostileLedger()) });
const keys = await makeKeys();
if (isWanted('upstreams')) await addUpstreams();
const service = await serve(['--max-semi-space-size=8', 'dist/main.js'], env, {
  path: '/v3.0',
  headers: { authorization: keys[VENDOR.working] },
});
const receiver = await startReceiver(certificate);
await addWebhooks(service.origin, keys, receiver);
const work = new Work(service.origin, keys, receiver);

work.start();
console.log('the vendor alone');
await watch(service.pid, Number(values['quiet-minutes']));
const alone = work.figures();
console.log('the vendor beside the attacks');
const attacks = startAttacks(service.origin, keys);
const memory = await watch(service.pid, Number(values.minutes));
const beside = work.figures();
const statuses = await attacks.stop();
await work.stop();
await service.stop();
outside.stop();
receiver.stop();
await database?.stop();
rmSync(folder, { recursive: true });

console.log('alone:', alone);
console.log('beside the attacks:', beside);
console.log('what the attackers got:', statuses);
const growth = memory.at(-1) - (memory[THIRD_MINUTE] ?? memory.at(-1));
const limit = Math.max(MOST_MS, MOST_TIMES * alone.all.p99);
console.log(
  `memory of the last minute against the third: ${growth} MiB more (at most ${MOST_GROWTH_MIB})`,
);
console.log(
  `99 in 100 calls within ${beside.all.p99} ms (at most ${limit}); ${beside.refused} refused`,
);
const isGood = growth <= MOST_GROWTH_MIB && beside.all.p99 <= limit && beside.refused === 0;
process.exit(isGood ? 0 : 1);
