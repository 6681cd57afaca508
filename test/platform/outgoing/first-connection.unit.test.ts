/** A server with several addresses is reached by any of them, including one that answers late. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { firstConnection } from '../../../src/platform/outgoing/outgoing-connections.js';
import { timeToGoWrong } from '../../support/processes/time-to-go-wrong.js';

/** A server in a process of its own, which can be stopped, so that it accepts no connections. */
const SERVER = `const server = require('node:net').createServer((socket) => socket.on('error', () => undefined));
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
/** This is more than the length of the queue of connections that are not accepted yet. */
const QUEUE = 4;
/** By this time, the next address was tried and has failed. */
const AFTER_THE_NEXT_MS = 600;

let child: ChildProcess;
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { stdout } = child;
  if (stdout === null) throw new Error('the server has no output');
  const [line] = (await once(stdout, 'data')) as [Buffer];
  port = Number(String(line));
});
afterEach(() => {
  child.kill('SIGCONT');
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => {
  child.kill('SIGKILL');
});

/** Makes the server accept no connections from now on. */
function hold(): void {
  child.kill('SIGSTOP');
  for (let at = 0; at < QUEUE; at += 1)
    sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
}

async function connected(addresses: readonly string[]): Promise<string | undefined> {
  const socket = await firstConnection(addresses, port);
  sockets.push(socket);
  return socket.remoteAddress;
}

it('waits for an address that answers after the head start of the next one, which fails', async () => {
  hold();
  const reached = connected(['127.0.0.1', '127.0.0.2']);
  await timeToGoWrong(AFTER_THE_NEXT_MS);
  child.kill('SIGCONT');
  expect(await reached).toBe('127.0.0.1');
});

it('takes another address while the first is silent', async () => {
  const second = createServer();
  await once(second.listen(port, '127.0.0.3'), 'listening');
  hold();
  expect(await connected(['127.0.0.1', '127.0.0.2', '127.0.0.3'])).toBe('127.0.0.3');
  expect((second.address() as AddressInfo).port).toBe(port);
  second.close();
});

it('tells why the last address failed', async () => {
  await expect(firstConnection(['127.0.0.4', '127.0.0.2'], port)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});
