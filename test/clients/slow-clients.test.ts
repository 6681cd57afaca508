import { connect, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basic } from '../support/http/http.js';
import { product, user } from '../support/builders/ledger-records.js';
import { until } from '../support/servers/running-service.js';
import { stopwatch } from '../support/processes/stopwatch.js';
import { TestService } from '../support/servers/service.js';

const CLIENTS = 1_000;
/** This many clients neither read the answer nor close the connection. */
const DEAF = 100;
const BYTE_MS = 500;
/** Node checks once a second for requests that exceed the 10 seconds for headers. */
const HEADERS_LIMIT_MS = 13_000;

let service: TestService;
let key: string;
const timers: NodeJS.Timeout[] = [];
const sockets: SlowClient[] = [];

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), product(10, 1)]);
  key = await service.key(1);
});
afterAll(async () => {
  for (const timer of timers) clearInterval(timer);
  for (const { socket } of sockets) socket.destroy();
  await service.stop();
});

/** Returns the number of open connections of a service. */
function connections({ app }: TestService): Promise<number> {
  const server: Server = app.getHttpServer();
  return promisify(server.getConnections.bind(server))();
}

/** Sends a request byte by byte, and records the answer. */
class SlowClient {
  received = '';
  closed = false;
  readonly socket: Socket;

  constructor(
    private readonly text: string,
    readonly isDeaf = false,
  ) {
    let sent = 0;
    this.socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: isDeaf });
    this.socket.on('error', () => undefined);
    if (isDeaf) this.socket.pause();
    else this.socket.on('data', (bytes) => (this.received += bytes.toString()));
    this.socket.on('close', () => (this.closed = true));
    timers.push(
      setInterval(() => {
        if (this.socket.writable) this.socket.write(this.text.charAt(sent++));
      }, BYTE_MS),
    );
    sockets.push(this);
  }
}

describe('a thousand clients that send a byte now and then', () => {
  it('are answered and disconnected in time, and other clients are not affected', async () => {
    const text = `GET /v3.0 HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${'x'.repeat(1_000)}`;
    const slow = Array.from({ length: CLIENTS }, (_, at) => new SlowClient(text, at < DEAF));
    const unused = new SlowClient('', false);
    const waited = stopwatch();
    let slowest = 0;
    await until('the end of all', async () => {
      expect(waited()).toBeLessThan(HEADERS_LIMIT_MS);
      const answered = stopwatch();
      expect((await service.get('/v3.0', key)).status).toBe(200);
      slowest = Math.max(slowest, answered());
      return [...slow, unused].every(({ closed }) => closed);
    });
    expect(slowest).toBeLessThan(2_000);
    const told = /^HTTP\/1\.1 400 [^]*The request was sent too slowly\./;
    expect(slow.filter(({ isDeaf, received }) => !isDeaf && !told.test(received))).toEqual([]);
    // A browser would take an error for the answer to its next request.
    expect(unused.received).toBe('');
  });
});

/** Both clients are tolerated for most of a minute, so they run at the same time. */
describe('a client', () => {
  let withinBody: SlowClient;
  let unread: UnreadAnswers;
  beforeAll(async () => {
    withinBody = slowBody();
    unread = await unreadAnswers(await service.beside());
  });
  afterAll(() => unread.service.stop());

  it('that is slow within a body is disconnected too, and nothing is written', async () => {
    await until('the end of its time', () => withinBody.closed);
    expect(withinBody.received).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('that never reads its answers is disconnected', async () => {
    // A client that reads nothing does not notice the end of its connection.
    await until('its end', async () => (await connections(unread.service)) === 0);
    unread.socket.resume();
    await until('the hang-up', () => unread.socket.closed);
  });
});

function slowBody(): SlowClient {
  const { Authorization } = basic(key);
  const head = [
    'PUT /v2.1/affiliates/1/products/10 HTTP/1.1',
    'Host: localhost',
    `Authorization: ${Authorization}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
    '',
    '',
  ];
  const client = new SlowClient('{'.repeat(1_000));
  client.socket.write(head.join('\r\n'));
  return client;
}

interface UnreadAnswers {
  /** The service has only this client. */
  readonly service: TestService;
  readonly socket: Socket;
}

async function unreadAnswers(asked: TestService): Promise<UnreadAnswers> {
  const socket = connect(asked.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  const { Authorization } = basic(key);
  const request = `GET /v3.0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${Authorization}\r\n\r\n`;
  // These are more answers than all buffers on the way can hold.
  socket.write(request.repeat(20_000));
  await until('a connection', async () => (await connections(asked)) === 1);
  return { service: asked, socket };
}
