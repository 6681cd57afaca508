// Runs reports with the service's own modules, without HTTP. Reads { viewers, ranges, times,
// download } as JSON from standard input. Prints the median and the slowest time of each report in
// milliseconds, and the time and memory of a download.
import { text } from 'node:stream/consumers';
import {
  AppModule,
  loadFeatures,
  loadSettings,
  NestFactory,
  ReportListsService,
  ReportsService,
} from '../dist/internals.js';

const SAMPLED_PARTS = 10;
const COMPARED = { comparison: 'year', today: '9999-12-31' };

const { viewers, ranges, times, download } = JSON.parse(await text(process.stdin));
const services = await NestFactory.createApplicationContext(
  AppModule.of(loadSettings(), await loadFeatures()),
  {
    logger: false,
  },
);
const reports = [];
for (const [of, viewer] of Object.entries(viewers)) {
  for (const [range, days] of Object.entries(ranges)) {
    for (const attribution of ['sale', 'refund']) {
      const taken = await timesOf({ viewer, ...days, attribution, by: 'day', ...COMPARED });
      reports.push({ of, range, attribution, ...taken });
    }
  }
}
const csv = await downloadOf({ ...download, attribution: 'refund', kind: 'all' });
await services.close();
console.log(JSON.stringify({ reports, csv }));

async function timesOf(request) {
  const taken = [];
  // The first run prepares the statements, and is not counted.
  for (let time = 0; time <= times; time += 1) {
    const begun = performance.now();
    await services.get(ReportsService).report(request);
    taken.push(performance.now() - begun);
  }
  const sorted = taken.slice(1).sort((left, right) => left - right);
  return { middle: sorted[Math.floor(sorted.length / 2)], slowest: sorted.at(-1) };
}

/** Returns the resident memory in MiB: after the first parts, and at its highest. */
async function downloadOf(request) {
  const begun = performance.now();
  const memory = [];
  let [bytes, parts] = [0, 0];
  for await (const part of services.get(ReportListsService).csv(request)) {
    bytes += Buffer.byteLength(part);
    parts += 1;
    if (parts % SAMPLED_PARTS === 0) memory.push(process.memoryUsage.rss() / 2 ** 20);
  }
  const seconds = (performance.now() - begun) / 1000;
  return { seconds, mebibytes: bytes / 2 ** 20, first: memory[0], highest: Math.max(...memory) };
}
