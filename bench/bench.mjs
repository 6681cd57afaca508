// Compares a minimal server (the floor), a naive service and this service on the same rows, in
// turns. docs/benchmarks.md explains the measurements. Usage: `npm run bench`
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { changesPart } from './changes.mjs';
import { fill, makeKeys, productionEnvironment, startDatabase } from './database.mjs';
import { BIG_VENDOR } from './ledger.mjs';
import { LOAD_NAMES, listPath, makeLoads } from './loads.mjs';
import { measure, slotsFor } from './measure.mjs';
import { readOptions } from './options.mjs';
import { pagesPart } from './pages.mjs';
import { importPart, memoryPart, PART_NAMES, reportPart, startPart } from './parts.mjs';
import { serve } from './processes.mjs';
import { recordsPart } from './records.mjs';
import { webhooksPart } from './webhooks.mjs';
import { barsOf, barsTable, figure, figuresTable, withRatios } from './report.mjs';

const A_MONTH = [350, 379];
/** The arguments of `npm start`, without node. */
const SERVICE = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start.split(' ').slice(1);

const options = readOptions([...LOAD_NAMES, ...PART_NAMES]);
const say = (line) => console.error(line);
say('Starting the database …');
const database = await startDatabase(options);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void database.stop().finally(() => process.exit(130)));
}
try {
  await bench();
} catch (error) {
  console.error(`The bench failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await database.stop();
}
process.exit();

async function bench() {
  const { rows, rounds, wanted } = options;
  const parts = {};
  if (wanted.has('import')) {
    say('import …');
    parts.import = await importPart({ database, rows, rounds });
  }
  if (wanted.has('records')) {
    say('records …');
    const { seconds } = options;
    parts.records = await recordsPart({ database, service: SERVICE, rows, seconds });
  }
  if (wanted.has('webhooks')) {
    say('webhooks …');
    const { seconds } = options;
    parts.webhooks = await webhooksPart({ database, service: SERVICE, seconds });
  }
  if (wanted.has('pages')) {
    say('pages …');
    parts.pages = await pagesPart({ database, service: SERVICE, rows, say });
  }
  const results = needsLedger() ? await onLedger(parts) : [];
  report(withRatios(results), parts);
}

function needsLedger() {
  return [...options.wanted].some(
    (name) => !['import', 'records', 'webhooks', 'pages'].includes(name),
  );
}

async function onLedger(parts) {
  say(`Importing ${options.rows} transactions, unless already imported …`);
  const seconds = await fill(database, options.rows);
  if (seconds !== null) {
    say(`Imported in ${figure(seconds)} s: ${figure(options.rows / seconds)} rows/s`);
  }
  await database.addNaiveIndex();
  await database.warm();
  await database.showNaiveIndex(false);
  const keys = await makeKeys(database);
  const { wanted } = options;
  const startService = () => startTarget(SERVICE, keys, {});
  if (wanted.has('start')) {
    say('start …');
    parts.start = await startPart(startService);
  }
  if (wanted.has('changes')) {
    say('changes …');
    parts.changes = await changesPart({ startService, header: keys.big, say });
  }
  if (wanted.has('report')) {
    say('report …');
    parts.report = await reportPart({ database });
  }
  const slots = slotsFor(options.rounds);
  const loads = await makeLoads({ database, seconds: options.seconds, slots });
  const results = await onTargets(keys, loads);
  if (wanted.has('memory')) {
    say(`memory, for ${options.memorySeconds} s …`);
    const seconds = options.memorySeconds;
    parts.memory = await memoryPart({ startService, loads, header: keys.big, seconds });
  }
  return results;
}

async function onTargets(keys, loads) {
  const chosen = loads.filter(({ name }) => options.wanted.has(name));
  if (chosen.length === 0) return [];
  const targets = {
    floor: await startTarget(
      ['bench/floor.mjs'],
      keys,
      {},
      `/page?vendor=${BIG_VENDOR}&at=2025-01-01`,
    ),
    naive: await startTarget(['bench/naive.mjs'], keys, {}),
    nest: await startTarget(['bench/nest.mjs'], keys, {}, '/single?id=none'),
    service: await startTarget(SERVICE, keys, {}),
    uncached: await startTarget(SERVICE, keys, { PAGE_CACHE_MB: '0' }),
  };
  await checkSameAnswers(targets, keys);
  const results = [];
  for (const load of chosen) {
    say(`${load.name} …`);
    const measured = await measure({ ...options, load, targets, keys, database });
    results.push(...measured);
    explain(load, measured);
  }
  for (const target of Object.values(targets)) await target.stop();
  return results;
}

function startTarget(args, keys, more, path = '/v3.0') {
  const env = { ...productionEnvironment(database.url), ...more };
  return serve(args, env, { path, headers: keys.big });
}

/** Checks that the compared services give the same answer. */
async function checkSameAnswers({ naive, service }, keys) {
  const answerOf = async ({ origin }) =>
    (await fetch(origin + listPath(A_MONTH), { headers: keys.big })).json();
  if (isDeepStrictEqual(await answerOf(naive), await answerOf(service))) return;
  throw new Error('the naive service and this service answer a month differently');
}

function explain({ name, conditional, targets }, measured) {
  for (const { target, available, asked } of measured) {
    if (!name.startsWith('random-')) continue;
    say(`  ${target}: ${available} distinct requests, at most ${asked} sent in a round`);
    if (asked > available) say('  so some were sent again: use more --rows or fewer --seconds');
  }
  if (conditional && measured.length < Object.keys(targets).length) {
    say('  skipped for the service: it returned no ETag');
  }
}

function report(results, parts) {
  const bars = barsOf(results, parts);
  if (results.length > 0) console.log(`${figuresTable(results)}\n`);
  for (const [name, values] of Object.entries(parts)) {
    const figures = Object.entries(values).map(([field, value]) => `${field} ${figure(value)}`);
    console.log(`${name}: ${figures.join(', ')}`);
  }
  console.log(`\n${options.rows} rows, ${options.rounds} rounds of ${options.seconds} s`);
  if (bars.length > 0) console.log(`\n${barsTable(bars)}`);
  if (options.json === undefined) return;
  const { rows, rounds, seconds } = options;
  const run = { rows, rounds, seconds, node: process.version };
  writeFileSync(options.json, `${JSON.stringify({ run, results, parts, bars }, null, 2)}\n`);
}
