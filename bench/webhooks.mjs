// Measures webhooks: the time in which 1,000 endpoints get one change each, and the effect on the
// rate of pages.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeKey, productionEnvironment } from './database.mjs';
import { BIG_VENDOR, ledgerFile } from './ledger.mjs';
import { run, serve } from './processes.mjs';
import { makeCertificate, startReceiver } from './receiver.mjs';

const NAME = 'bench_webhooks';
const ROWS = 20_000;
/** First id of users that the ledger of the benchmarks does not have. */
const FIRST_VENDOR = 8_000_001;
const VENDORS = 100;
const OF_EACH = 10;
const CONNECTIONS = 8;
const LIMIT_MS = 120_000;
const LOOK_MS = 20;
const PAGE = '/v3.0/transactions?start_date=2024-01-01&end_date=2025-12-31';

/** @param {string[]} service the command of `npm start`, without node */
export async function webhooksPart({ database, service, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-bench-'));
  const receiver = await startCounter(folder);
  try {
    await database.renew(NAME);
    const env = {
      ...productionEnvironment(database.urlOf(NAME)),
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: receiver.certificate,
    };
    await importLines(env, ledgerFile(ROWS));
    await importLines(env, vendorsFile().join('\n'));
    const numbers = [FIRST_VENDOR, VENDORS, OF_EACH].map(String);
    await run(['bench/add-endpoints.mjs', receiver.url, ...numbers], { env });
    const headers = await makeKey(env, ['--user', String(BIG_VENDOR), '--name', 'bench']);
    const started = await serve(service, env, { path: '/v3.0', headers });
    const figures = await measured(started, { env, headers, receiver, seconds });
    await started.stop();
    await database.drop(NAME);
    return figures;
  } finally {
    receiver.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measured(started, { env, headers, receiver, seconds }) {
  const alone = new Pages(started.origin, headers);
  await wait(seconds * 1000);
  const rateAlone = await alone.end();
  await importLines(env, salesFile('idle').join('\n'));
  const idle = await receiver.timeUntil(VENDORS * OF_EACH);
  const beside = new Pages(started.origin, headers);
  // The import command uses a core for its start, which is not part of the measurement.
  await importLines(env, salesFile('busy').join('\n'));
  receiver.begin();
  beside.begin();
  const busy = await receiver.timeUntil(2 * VENDORS * OF_EACH);
  const rateBeside = await beside.end();
  return {
    '1,000 endpoints served, s': idle,
    '1,000 endpoints served beside pages, s': busy,
    'pages/s alone': rateAlone,
    'pages/s while endpoints are served': rateBeside,
    'pages while endpoints are served : alone': rateBeside / rateAlone,
  };
}

/** Reads pages on a few connections until it is ended. */
class Pages {
  constructor(origin, headers) {
    this.agent = new Agent({ keepAlive: true });
    this.begin();
    this.readers = Array.from({ length: CONNECTIONS }, async (_, reader) => {
      for (let at = reader; !this.isOver; at += 1) {
        await ask(`${origin}${PAGE}&page_index=${at % 150}`, { headers, agent: this.agent });
        this.count += 1;
      }
    });
  }

  /** Restarts the count. */
  begin() {
    this.count = 0;
    this.begun = performance.now();
  }

  /** @returns pages per second */
  async end() {
    const rate = (this.count / (performance.now() - this.begun)) * 1000;
    this.isOver = true;
    await Promise.all(this.readers);
    this.agent.destroy();
    return rate;
  }
}

/** @returns a receiver that counts deliveries */
async function startCounter(folder) {
  const certificate = makeCertificate(folder, 'DNS:localhost');
  const receiver = await startReceiver(certificate);
  const taken = new Map();
  let begun = 0;
  receiver.onDelivery = (path) => {
    if (begun === 0) begun = performance.now();
    taken.set(path, (taken.get(path) ?? 0) + 1);
  };
  const count = () => [...taken.values()].reduce((sum, each) => sum + each, 0);
  return {
    url: `https://localhost:${receiver.port}`,
    certificate: certificate.cert,
    begin: () => (begun = performance.now()),
    /** Returns the time from the first delivery, or from `begin`, in seconds. */
    timeUntil: async (deliveries) => {
      const limit = performance.now() + LIMIT_MS;
      while (count() < deliveries) {
        if (performance.now() > limit) throw new Error(`only ${count()} deliveries came`);
        await wait(LOOK_MS);
      }
      const elapsed = (performance.now() - begun) / 1000;
      begun = 0;
      return elapsed;
    },
    stop: receiver.stop,
  };
}

function vendorsFile() {
  return vendors().flatMap((id) => [
    line({ type: 'user', id, name: `Vendor ${id}`, email: `vendor${id}@example.com` }),
    line({ type: 'product', id, vendor_id: id, name: `Product ${id}` }),
  ]);
}

/** Returns a file with a sale of each vendor. */
function salesFile(name) {
  return vendors().map((id) =>
    line({
      type: 'transaction',
      transaction_id: `${name}-${id}`,
      product_id: id,
      product_name: `Product ${id}`,
      sale_date: '2025-06-30T14:03:11Z',
      amount: '47.00',
      status: 'completed',
      customer: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Byron' },
      payouts: {
        seller_earnings: '42.30',
        affiliate_payout: '0.00',
        agent_payout: '0.00',
        jv_payout: '0.00',
        service_fee: '4.70',
      },
    }),
  );
}

function vendors() {
  return Array.from({ length: VENDORS }, (_, index) => FIRST_VENDOR + index);
}

function line(record) {
  return JSON.stringify(record);
}

async function importLines(env, input) {
  await run(['dist/cli.js', 'import', '-'], { env, input });
}

function ask(url, options) {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`a page answered ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
