// Measures large and waiting answers: the feed of changes, exports, and clients that wait for a
// change.
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from './measure.mjs';
import { residentMiB } from './parts.mjs';

const FEED = '/ledger/v1/changes?limit=1000';
const PAGES = 30;
const FORMATS = ['ndjson', 'csv', 'parquet'];
const SAMPLE_MS = 200;
const WAITING = 2000;
/** This is at most the number of a user's requests that may wait for a slot. */
const AT_ONCE = 20;
const PAUSE_MS = 100;
const SETTLE_MS = 3000;

/** @param {() => Promise<{ origin: string, pid: number, stop: () => Promise<void> }>} startService */
export async function changesPart({ startService, header, say }) {
  const figures = await feedFigures(await startService(), header);
  for (const format of FORMATS) {
    say(`export as ${format} …`);
    Object.assign(figures, await exportFigures(await startService(), header, format));
  }
  say(`${WAITING} clients wait …`);
  return { ...figures, ...(await waitFigures(await startService(), header)) };
}

async function feedFigures(service, header) {
  const get = async (after) => {
    const begun = performance.now();
    const answer = await fetch(`${service.origin}${FEED}&after=${after}`, { headers: header });
    const { meta, results } = await answer.json();
    if (answer.status !== 200) throw new Error(`the feed answered ${answer.status}`);
    return { ...meta, count: results.length, ms: performance.now() - begun };
  };
  const begun = performance.now();
  const cursors = ['0'];
  let changes = 0;
  for (let page; page?.has_more !== false; cursors.push(page.cursor)) {
    page = await get(cursors.at(-1));
    changes += page.count;
  }
  const seconds = (performance.now() - begun) / 1000;
  // The last full page is read in turns with the first.
  const last = cursors.at(-3);
  const times = { first: [], last: [] };
  for (let round = 0; round < PAGES; round += 1) {
    times.first.push((await get('0')).ms);
    times.last.push((await get(last)).ms);
  }
  await service.stop();
  const [first, final] = [times.first, times.last].map(median);
  return {
    'changes in the feed': changes,
    'walk of the feed, s': seconds,
    'first page of 1,000, ms': first,
    'last page of 1,000, ms': final,
    'last page : first': final / first,
  };
}

async function exportFigures(service, header, format) {
  let highest = 0;
  const timer = setInterval(
    () => (highest = Math.max(highest, residentMiB(service.pid))),
    SAMPLE_MS,
  );
  const begun = performance.now();
  let bytes = 0;
  const path = `/ledger/v1/transactions.${format}`;
  const answer = await fetch(service.origin + path, {
    headers: { ...header, 'accept-encoding': 'identity' },
  });
  for await (const chunk of answer.body) bytes += chunk.length;
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(timer);
  await service.stop();
  return {
    [`export as ${format}, transactions`]: Number(answer.headers.get('x-ledger-count')),
    [`export as ${format}, s`]: seconds,
    [`export as ${format}, MiB`]: bytes / 2 ** 20,
    [`export as ${format}, MiB resident`]: highest,
  };
}

async function waitFigures(service, header) {
  const { origin, pid } = service;
  const { results, meta } = await (
    await fetch(`${origin}${FEED}&after=0`, { headers: header })
  ).json();
  if (results.length === 0) throw new Error('the feed is empty');
  let { cursor, has_more } = meta;
  while (has_more) {
    ({ cursor, has_more } = (
      await (await fetch(`${origin}${FEED}&after=${cursor}`, { headers: header })).json()
    ).meta);
  }
  await wait(SETTLE_MS);
  const before = residentMiB(pid);
  const agent = new Agent({ keepAlive: true, maxSockets: WAITING });
  const waits = [];
  while (waits.length < WAITING) {
    const url = `${origin}${FEED}&after=${cursor}&wait=20`;
    for (let one = 0; one < AT_ONCE; one += 1) waits.push(statusOf(url, header, agent));
    await wait(PAUSE_MS);
  }
  await wait(SETTLE_MS);
  const during = residentMiB(pid);
  const statuses = await Promise.all(waits);
  agent.destroy();
  await service.stop();
  return {
    'clients waited in vain, 200': statuses.filter((status) => status === 200).length,
    'MiB of 2,000 waiting clients': during - before,
  };
}

function statusOf(url, headers, agent) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end();
  });
}
