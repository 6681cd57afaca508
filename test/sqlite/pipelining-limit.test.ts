/** Pipelined requests of a client that reads nothing, on a real connection. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onResponseEnd } from '../../src/api/envelope/response-end.js';
import { limitPipelining } from '../../src/api/server/service-adapter.js';
import { until } from '../support/servers/running-service.js';

const MOST_IN_HAND = 8;
const MOST_WAITING = 1_000;

let server: Server;
let begun: ServerResponse[];
let ended: number;
/** Number of requests that were read from the connection. */
let read: number;
let client: Socket;
let received: string;

beforeEach(async () => {
  [begun, ended, read, received] = [[], 0, 0, ''];
  server = createServer(
    limitPipelining((_request, response) => {
      begun.push(response);
      onResponseEnd(response, () => (ended += 1));
    }),
  );
  server.prependListener('request', () => (read += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.on('data', (bytes) => (received += bytes.toString()));
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function send(count: number): void {
  const requests = Array.from(
    { length: count },
    (_, at) => `GET /${at} HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  client.write(requests.join(''));
}

describe('requests behind one another', () => {
  it('are begun eight at a time, and all are answered in their order', async () => {
    send(30);
    await until('all that were sent', () => read === 30);
    expect(begun).toHaveLength(MOST_IN_HAND);
    for (let at = 0; at < 30; at += 1) {
      begun[at]?.end(`answer ${at};`);
      await until('the next', () => begun.length === Math.min(30, MOST_IN_HAND + at + 1));
    }
    await until('the last answer', () => received.includes('answer 29;'));
    const answers = Array.from(received.matchAll(/answer (\d+);/g), ([, at]) => Number(at));
    expect(answers).toEqual(Array.from({ length: 30 }, (_, at) => at));
  });

  it('end the connection where too many wait', async () => {
    const closed = new Promise((resolve) => client.once('close', resolve));
    send(MOST_IN_HAND + MOST_WAITING);
    await until('all that were sent', () => read === MOST_IN_HAND + MOST_WAITING);
    expect(client.destroyed).toBe(false);
    send(1);
    await closed;
    expect(begun).toHaveLength(MOST_IN_HAND);
    expect(ended).toBe(MOST_IN_HAND);
  });

  it('are over once the client is gone: none is begun, and each that was is told', async () => {
    send(30);
    await until('all that were sent', () => read === 30);
    client.destroy();
    await until('their end', () => ended === MOST_IN_HAND);
    expect(begun).toHaveLength(MOST_IN_HAND);
  });
});
