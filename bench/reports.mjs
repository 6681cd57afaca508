// What reports take, measured in a process with the service's own modules. Reads what to do as JSON
// from standard input: { vendor, affiliate, times }. Prints the times in milliseconds, of the middle
// and of the slowest, and what a download of everything takes.
import 'reflect-metadata';
import { text } from 'node:stream/consumers';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/app.module.js';
import { loadSettings } from '../dist/config/load-settings.js';
import { ReportListsService } from '../dist/modules/reports/report-lists.service.js';
import { ReportsService } from '../dist/modules/reports/reports.service.js';

const SAMPLE_EVERY = 20;

const { ranges, viewers, times, download } = JSON.parse(await text(process.stdin));
const services = await NestFactory.createApplicationContext(AppModule.of(loadSettings()), {
  logger: false,
});
const reports = services.get(ReportsService);
const result = {};
for (const [who, viewer] of Object.entries(viewers)) {
  for (const [name, range] of Object.entries(ranges)) {
    for (const attribution of ['sale', 'refund']) {
      result[`${who}, ${name}, by ${attribution}`] = await timesOf({ viewer, ...range, attribution });
    }
  }
}
const csv = download ? await downloadOf() : null;
console.log(JSON.stringify({ result, csv }));
await services.close();

async function timesOf(request) {
  const taken = [];
  for (let time = -1; time < times; time += 1) {
    const begun = performance.now();
    await reports.report({ ...request, by: 'day' });
    if (time >= 0) taken.push(performance.now() - begun);
  }
  taken.sort((left, right) => left - right);
  return { middle: taken[Math.floor(taken.length / 2)], slowest: taken.at(-1) };
}

async function downloadOf() {
  const request = { ...download, attribution: 'refund', kind: 'all' };
  const begun = performance.now();
  let [bytes, parts, highest] = [0, 0, 0];
  for await (const part of services.get(ReportListsService).csv(request)) {
    bytes += Buffer.byteLength(part);
    parts += 1;
    if (parts % SAMPLE_EVERY === 0) highest = Math.max(highest, process.memoryUsage.rss());
  }
  return { bytes, parts, seconds: (performance.now() - begun) / 1000, highest: highest / 2 ** 20 };
}
