// Measures everything other than loads: import, start-up time, memory and reports.
import { createWriteStream, readFileSync, rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { productionEnvironment } from './database.mjs';
import { BIG_VENDOR, FIRST_AFFILIATE, FIRST_DAY, LAST_DAY, ledgerFile } from './ledger.mjs';
import { loadTarget, median } from './measure.mjs';
import { run } from './processes.mjs';

export const PART_NAMES = [
  'import',
  'records',
  'start',
  'memory',
  'report',
  'changes',
  'webhooks',
  'pages',
];

const IMPORTED = 'bench_import';
const STARTS = 5;
const SAMPLE_MS = 5000;
const REPORTS = 10;

/**
 * Imports the same rows with the command and with bare multi-row INSERTs, in turns. Returns rates
 * in rows/s.
 */
export async function importPart({ database, rows, rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-bench-'));
  const [file, empty] = [join(folder, 'ledger.ndjson'), join(folder, 'empty.ndjson')];
  const env = productionEnvironment(database.urlOf(IMPORTED));
  const importOf = async (path) => (await run(['dist/cli.js', 'import', path], { env })).ms;
  const times = { service: [], startUp: [], bare: [] };
  try {
    await pipeline(ledgerFile(rows), createWriteStream(file));
    writeFileSync(empty, '');
    for (let round = 0; round < rounds; round += 1) {
      await database.renew(IMPORTED);
      times.service.push(await importOf(file));
      times.startUp.push(await importOf(empty));
      times.bare.push(Number((await run(['bench/bare-insert.mjs'], { env })).output));
    }
    await database.drop(IMPORTED);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const [service, startUp, bare] = [times.service, times.startUp, times.bare].map(median);
  const rate = (ms) => (rows / ms) * 1000;
  return {
    rows,
    rate: rate(service),
    rateWithoutStartUp: rate(service - startUp),
    bareRate: rate(bare),
    startUpMs: startUp,
    ratio: bare / service,
    ratioWithoutStartUp: bare / (service - startUp),
  };
}

/** Measures the time from the start of the process to its first successful answer. */
export async function startPart(startService) {
  const times = [];
  for (let started = 0; started < STARTS; started += 1) {
    const service = await startService();
    times.push(service.startMs);
    await service.stop();
  }
  return { ms: median(times) };
}

/** Measures resident memory while random pages and one fixed page are requested alternately. */
export async function memoryPart({ startService, loads, header, seconds }) {
  const service = await startService();
  const pathsOf = (name) => loads.find((load) => load.name === name).targets.service(0);
  const [same] = pathsOf('same-page');
  const paths = pathsOf('random-two-years').flatMap((path) => [path, same]);
  const samples = [];
  const timer = setInterval(() => samples.push(residentMiB(service.pid)), SAMPLE_MS);
  try {
    await loadTarget({ origin: service.origin, headers: header, paths }, seconds, 'memory');
    samples.push(residentMiB(service.pid));
  } finally {
    clearInterval(timer);
  }
  await service.stop();
  return memorySummary(samples);
}

/**
 * Measures reports of the big vendor and of an affiliate, in milliseconds, and the big vendor's
 * download.
 */
export async function reportPart({ database }) {
  const all = { start_date: FIRST_DAY, end_date: LAST_DAY };
  const vendor = { role: 'vendor', user_id: BIG_VENDOR };
  const input = JSON.stringify({
    viewers: { vendor, affiliate: { role: 'affiliate', user_id: FIRST_AFFILIATE } },
    ranges: {
      all,
      // Both ends are in the middle of a month, so that most single days are read.
      middle: { start_date: '2024-01-16', end_date: '2025-12-16' },
      month: { start_date: '2025-06-01', end_date: '2025-06-30' },
      thirtyDays: { start_date: '2025-06-16', end_date: '2025-07-15' },
      day: { start_date: '2025-06-05', end_date: '2025-06-05' },
    },
    times: REPORTS,
    download: { viewer: vendor, ...all },
  });
  const env = productionEnvironment(database.url);
  // The young generation is that of `npm start`, and the memory is so small that leaked rows would
  // fail.
  const args = ['--max-semi-space-size=8', '--max-old-space-size=96', 'bench/reports.mjs'];
  const { reports, csv } = JSON.parse((await run(args, { env, input })).output);
  const most = (of, range) => {
    const taken = reports.filter((one) => one.of === of && one.range === range);
    return Math.max(...taken.map(({ middle }) => middle));
  };
  const ranges = [...new Set(reports.map(({ range }) => range))];
  return {
    mostMs: Math.max(...reports.map(({ middle }) => middle)),
    ...Object.fromEntries(ranges.map((range) => [`${range}Ms`, most('vendor', range)])),
    affiliateAllMs: most('affiliate', 'all'),
    slowestMs: Math.max(...reports.map((report) => report.slowest)),
    csvSeconds: csv.seconds,
    csvMiB: csv.mebibytes,
    csvFirstRss: csv.first,
    csvHighestRss: csv.highest,
  };
}

function memorySummary(samples) {
  const fifth = Math.floor(samples.length / 5);
  const mean = (part) => part.reduce((sum, value) => sum + value, 0) / part.length;
  const early = mean(samples.slice(fifth, 2 * fifth));
  const late = mean(samples.slice(-fifth));
  const [first, last, highest] = [samples[0], samples.at(-1), Math.max(...samples)];
  return { first, highest, last, early, late, growth: late / early };
}

export function residentMiB(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
}
