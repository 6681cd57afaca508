// Runs the attacks of `npm run bench:hostile` in a process of its own. It reads the attacks from
// its input, and prints the statuses of the answers as a line of JSON when it is asked to end.
import { connect } from 'node:net';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { saleOf, VENDOR } from './hostile-ledger.mjs';

const READERS_OF_CHANGES = 20;
const READERS_OF_PAGES = 3;
const SLOW_BODIES = 30;
const SLOW_BODY_BYTES = 20_000_000;
const PARALLEL_BODIES = 15;
const RECORDS_OF_A_BODY = 10_000;
const SLOW_DOWNLOADS = 2;
/** The client of an export keeps its slot if it reads 32 KiB a second. */
const SLOW_READ_BYTES = 4_096;
const WAITING = 2_000;
const WAITING_AT_ONCE = 20;
const WAKE_MS = 5_000;
const SECOND = 1_000;
/**
 * The client ignores Retry-After, but the pause prevents it from using a core of this machine
 * alone.
 */
const PAUSE_MS = 50;
/**
 * Rejected clients that wait for changes retry after this time: 2,000 at once would be another
 * attack.
 */
const RETRY_MS = 2_000;

const { origin, keys, only } = JSON.parse(await text(process.stdin));
const agent = new Agent({ keepAlive: true, maxSockets: 4_000 });
const statuses = {};
let isOver = false;
process.once('SIGTERM', () => {
  isOver = true;
  console.log(JSON.stringify(statuses));
  process.exit(0);
});

function count(attack, status) {
  const name = `${attack} ${status}`;
  statuses[name] = (statuses[name] ?? 0) + 1;
}

function ask(attack, path, { key, body, onText } = {}) {
  return new Promise((resolve) => {
    const headers = { authorization: keys[key], 'content-type': 'application/x-ndjson' };
    const options = { agent, headers, method: body === undefined ? 'GET' : 'POST' };
    const sent = request(origin + path, options, (response) => {
      count(attack, response.statusCode);
      if (response.statusCode === 429 && attack === 'waiting') {
        response.resume();
        void wait(RETRY_MS).then(resolve);
      } else if (onText === undefined) response.resume().once('close', resolve);
      else {
        text(response)
          .then(onText, () => undefined)
          .finally(resolve);
      }
    });
    sent.once('error', ({ code }) => {
      count(attack, code);
      resolve();
    });
    sent.end(body);
  });
}

/** Repeats a function in this many loops until the end. */
function inLoops(loops, once) {
  for (let loop = 0; loop < loops; loop += 1) {
    void (async () => {
      for (let round = loop; !isOver; round += loops) {
        await once(round);
        await wait(PAUSE_MS);
      }
    })();
  }
}

function readLargeAnswers() {
  const key = VENDOR.largeTexts;
  inLoops(READERS_OF_CHANGES, () =>
    ask('changes', '/ledger/v1/changes?limit=1000&after=0', { key }),
  );
  inLoops(1, () => ask('csv', '/ledger/v1/transactions.csv', { key }));
  inLoops(READERS_OF_PAGES, (round) =>
    ask(
      'pages',
      `/v3.0/transactions?start_date=2025-01-01&end_date=2025-12-31&page_size=200&page_index=${round % 5}`,
      { key },
    ),
  );
}

function sendSlowBodies() {
  inLoops(SLOW_BODIES, () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(
      `POST /ledger/v1/records HTTP/1.1\r\nHost: attack\r\nAuthorization: ${keys[`source${VENDOR.slowBodies}`]}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: ${SLOW_BODY_BYTES}\r\n\r\n`,
    );
    const timer = setInterval(() => socket.write(' '.repeat(1_024)), SECOND);
    return new Promise((resolve) => {
      socket.once('data', (data) => count('slow bodies', data.toString('latin1', 9, 12)));
      socket.on('error', () => undefined);
      socket.once('close', () => {
        clearInterval(timer);
        resolve();
      });
    });
  });
}

function sendManyBodies() {
  const bodies = Array.from({ length: PARALLEL_BODIES }, (_, body) =>
    Array.from({ length: RECORDS_OF_A_BODY }, (__, number) =>
      JSON.stringify({
        ...saleOf(VENDOR.manyBodies, `attack-${number}`, number),
        amount: `${48 + body}.00`,
      }),
    ).join('\n'),
  );
  const key = `source${VENDOR.manyBodies}`;
  inLoops(PARALLEL_BODIES, (round) =>
    ask('bodies', '/ledger/v1/records', { key, body: bodies[round % bodies.length] }),
  );
}

function downloadSlowly() {
  inLoops(SLOW_DOWNLOADS, () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(
      `GET /ledger/v1/transactions.ndjson HTTP/1.1\r\nHost: attack\r\nAuthorization: ${keys[VENDOR.slowDownloads]}\r\n\r\n`,
    );
    socket.pause();
    const timer = setInterval(() => socket.read(SLOW_READ_BYTES), SECOND);
    return new Promise((resolve) => {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        clearInterval(timer);
        count('slow downloads', 'ended');
        resolve();
      });
    });
  });
}

/**
 * Makes many requests that wait for a change, which comes every few seconds and wakes all of them.
 */
async function waitForChanges() {
  const key = VENDOR.manyWaiting;
  let cursor = '0';
  const read = (attack) =>
    ask(attack, `/ledger/v1/changes?after=${cursor}&wait=20`, {
      key,
      onText: (answer) => {
        cursor = /"cursor":"(\d+)"/.exec(answer)?.[1] ?? cursor;
      },
    });
  await read('first change');
  for (let waiting = 0; waiting < WAITING && !isOver; waiting += WAITING_AT_ONCE) {
    inLoops(WAITING_AT_ONCE, () => read('waiting'));
    await wait(2 * PAUSE_MS);
  }
  for (let number = 0; !isOver; number += 1) {
    const body = JSON.stringify(saleOf(key, `wake-${number}`, number));
    await ask('wake', '/ledger/v1/records', { key: `source${key}`, body });
    await wait(WAKE_MS);
  }
}

const ATTACKS = {
  answers: readLargeAnswers,
  'slow-bodies': sendSlowBodies,
  bodies: sendManyBodies,
  downloads: downloadSlowly,
  waiting: waitForChanges,
};
for (const [name, attack] of Object.entries(ATTACKS)) {
  if (only === undefined || only.includes(name)) void attack();
}
