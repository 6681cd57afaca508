// Runs the servers that the service calls during `npm run bench:hostile`: hostile upstreams and
// receivers, and a name server that does not answer for most names. It prints their ports. Usage:
// node bench/hostile-servers.mjs KEY CERTIFICATE
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const ANSWER = 16 * 2 ** 20;
const SLOW_MS = 1_000;
/** The only name that exists. The server does not answer for others. */
const KNOWN_NAME = 'receiver.test';
const QUERY_HEAD = 12;
const TYPE_A = 1;
const FOUND = 0x8180;
/**
 * The answer record: the name of the question, type A, class IN, one minute, four bytes, 127.0.0.1.
 */
const LOOPBACK = Buffer.from('c00c000100010000003c00047f000001', 'hex');

/** Functions that answer a request, by the first part of the path. */
const ANSWERS = {
  deep: (response) => response.end('['.repeat(ANSWER)),
  many: (response) => response.end(`{"results":[${'0,'.repeat(ANSWER / 2)}0]}`),
  slow: (response) => {
    const timer = setInterval(() => response.write(' '), SLOW_MS);
    response.on('close', () => clearInterval(timer));
  },
  silent: () => undefined,
};

/** @returns the port of an HTTPS server with these answers */
async function startHostileServer(key, cert) {
  const server = createServer({ key, cert }, (received, response) => {
    const answer = ANSWERS[received.url.split('/')[1]] ?? ANSWERS.silent;
    if (answer !== ANSWERS.silent) {
      response.writeHead(200, { 'content-type': 'application/json' });
    }
    answer(response);
  });
  server.on('clientError', (error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

/** @returns the port of a name server over UDP */
async function startNameServer() {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    if (name !== KNOWN_NAME) return;
    const head = Buffer.from(query.subarray(0, QUERY_HEAD));
    const records = type === TYPE_A ? [LOOPBACK] : [];
    head.writeUInt16BE(FOUND, 2);
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8);
    socket.send(Buffer.concat([head, query.subarray(QUERY_HEAD, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

function questionOf(query) {
  const labels = [];
  let at = QUERY_HEAD;
  for (let length = query[at]; length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

const [key, certificate] = process.argv.slice(2).map((file) => readFileSync(file));
const hostile = await startHostileServer(key, certificate);
const names = await startNameServer();
console.log(JSON.stringify({ hostile, names }));
