/** Receivers that are slow, huge, hanging or hostile: their cost, and their deliveries. */
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { recurringPayment, transaction } from '../../support/builders/ledger-records.js';
import { basic, send } from '../../support/http/http.js';
import { LocalHttps } from '../../support/servers/local-https.js';
import { TestNameServer } from '../../support/servers/name-server.js';
import { PROCESSOR_SECRET } from '../../support/servers/processor.js';
import { stopwatch } from '../../support/processes/stopwatch.js';
import { RunningService, until } from '../../support/servers/running-service.js';
import type { Behaviour } from '../../support/servers/webhook-receiver.js';
import { useWebhooks } from '../../support/servers/webhooks-under-test.js';

const MEBIBYTE = 1_048_576;

const hooks = useWebhooks([1, 2, 3, 4]);

/** Returns the memory of the service that calls the receivers, in bytes. */
function memory(): number {
  const status = readFileSync(`/proc/${hooks.service.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

/** Writes without end, at the speed of the reader, until the connection is closed. */
function pour(response: ServerResponse, chunk: string): void {
  const { socket } = response;
  const more = () => {
    while (socket?.writable === true && socket.write(chunk));
  };
  socket?.on('drain', more);
  socket?.on('error', () => undefined);
  more();
}

describe('a receiver', () => {
  it('that sends too much, nothing, or nonsense costs no memory, and is told', async () => {
    const cases: Readonly<Record<string, [Behaviour, object]>> = {
      '/body': [
        (_, response) => {
          response.socket?.write('HTTP/1.1 200 OK\r\n\r\n');
          pour(response, 'x'.repeat(65_536));
        },
        { status: 200, problem: null },
      ],
      '/head': [
        (_, response) => {
          pour(response, `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(65_536)}`);
        },
        { status: null, problem: 'the head of the answer is too long' },
      ],
      '/hints': [
        (_, response) => {
          pour(response, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(500));
        },
        { status: null, problem: 'hints come without an answer' },
      ],
      '/upgrade': [
        (_, response) => {
          const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: x', 'Connection: upgrade'];
          response.socket?.write(`${head.join('\r\n')}\r\n\r\n`);
        },
        { status: null, problem: 'the connection was closed before an answer' },
      ],
      '/drops': [
        (_, response) => {
          response.socket?.write('HTTP/1.1 200 ');
        },
        { status: null, problem: 'no answer within 15 s' },
      ],
      '/nonsense': [
        (_, response) => {
          response.socket?.end('SSH-2.0-OpenSSH\r\n');
        },
        { status: null, problem: 'the answer is not HTTP' },
      ],
      '/escapes': [
        (_, response) => response.writeHead(500).end('\u001b]0;gone\u0007\u202ereversed'),
        { status: 500, problem: 'the receiver answered 500' },
      ],
    };
    await hooks.ledger.mustImport([transaction('first', 10), transaction('second', 20)]);
    const before = memory();
    const ids = new Map<string, number>();
    for (const [index, [path, [behaviour]]] of Object.entries(cases).entries()) {
      hooks.behaviours.set(path, behaviour);
      ids.set(path, await hooks.endpointOf(index < 3 ? 1 : 2, path));
    }
    let most = before;
    for (const [path, [, expected]] of Object.entries(cases)) {
      const id = ids.get(path) ?? 0;
      await until(`a delivery to ${path}`, async () => {
        most = Math.max(most, memory());
        return (await hooks.deliveriesOf(id)).length > 0;
      });
      const [first] = await hooks.deliveriesOf(id);
      expect({ path, ...first }).toMatchObject({ path, ...expected });
      expect(String(first?.answer).length).toBeLessThanOrEqual(4_096);
      for (const unsafe of ['\u001b', '\u0007', '\u202e']) {
        expect(String(first?.answer)).not.toContain(unsafe);
      }
    }
    expect((most - before) / MEBIBYTE).toBeLessThan(80);
  });

  it('whose certificate is not valid gets nothing', async () => {
    const strict = await RunningService.start(hooks.ledger, 1, {
      WEBHOOK_NETWORKS: '127.0.0.0/8,::1',
    });
    await hooks.service.kill();
    hooks.service = strict;
    await hooks.ledger.mustImport([transaction('untrusted', 10)]);
    const id = await hooks.endpointOf(1, '/untrusted');
    await until('a delivery', async () => (await hooks.deliveriesOf(id)).length > 0);
    const [first] = await hooks.deliveriesOf(id);
    expect(String(first?.problem)).toMatch(/^the certificate or the TLS handshake failed/);
    expect(hooks.receiver.received).toEqual([]);
  });

  it('is not followed where it redirects to', async () => {
    let called = 0;
    const inside: Server = createServer((_, response) => {
      called += 1;
      response.end();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const { port } = inside.address() as AddressInfo;
    const paths = [301, 302, 303, 307, 308].map((status) => `/${status}`);
    for (const path of paths) {
      const Location = `http://127.0.0.1:${port}/`;
      hooks.behaviours.set(path, (_, response) =>
        response.writeHead(Number(path.slice(1)), { Location }).end(),
      );
    }
    await hooks.ledger.mustImport([transaction('redirected', 10)]);
    for (const path of paths) {
      const id = await hooks.endpointOf(1, path);
      await until('a delivery', async () => (await hooks.deliveriesOf(id)).length > 0);
      expect(await hooks.deliveriesOf(id)).toMatchObject([
        { problem: `the receiver answered ${path.slice(1)}` },
      ]);
    }
    inside.close();
    expect(called).toBe(0);
  });

  it('whose name server is silent delays neither others, nor a cancel at the processor', async () => {
    const names = await TestNameServer.start();
    names.names.set('receiver.test', ['127.0.0.1']).set('processor.test', ['127.0.0.1']);
    const ordered: unknown[] = [];
    const processor = await LocalHttps.start((request, response) => {
      ordered.push(request.url);
      response.end();
    }, 'processor.test');
    const receiver = await LocalHttps.start((_, response) => response.end(), 'receiver.test');
    const certificates = [processor, receiver].map(({ settings }) => settings.NODE_EXTRA_CA_CERTS);
    const authorities = certificates.map((file) => readFileSync(file ?? '', 'utf8')).join('\n');
    await hooks.service.kill();
    hooks.service = await RunningService.start(hooks.ledger, 1, {
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      NAME_SERVERS: names.address,
      NODE_EXTRA_CA_CERTS: hooks.ledger.file('authorities.pem', authorities),
      PAYMENT_PROCESSOR_URL: `${processor.url}/cancel`,
      PAYMENT_PROCESSOR_SECRET: PROCESSOR_SECRET,
    });
    const silent: number[] = [];
    for (const vendor of [1, 2, 3]) {
      for (let at = 0; at < 3; at += 1) {
        const name = `silent-${vendor}-${at}.test`;
        names.names.set(name, 'silent');
        silent.push(await hooks.endpointTo(vendor, `https://${name}/`));
      }
    }
    const well = await hooks.endpointTo(4, receiver.url);
    await hooks.ledger.mustImport([
      transaction('silent-1', 10),
      transaction('silent-2', 20),
      transaction('silent-3', 30),
      transaction('heard', 40),
      recurringPayment('PRE', 40, { id: 1 }),
    ]);
    await until('the queries of all', () => new Set(names.queries).size >= silent.length);
    const waited = stopwatch();
    const canceled = await send(hooks.service.port, {
      method: 'PUT',
      path: '/v2.0/recurring_payment/PRE',
      body: '{"status":"CANCEL"}',
      headers: { ...basic(await hooks.ledger.key(4)), 'Content-Type': 'application/json' },
    });
    expect(canceled.status).toBe(200);
    expect(ordered).toEqual(['/cancel']);
    await until('a delivery', async () => (await hooks.deliveriesOf(well)).length > 0);
    expect(waited()).toBeLessThan(4_000);
    // The canceled payment may already have been delivered, too.
    const delivered = await hooks.deliveriesOf(well);
    expect(new Set(delivered.map(({ status }) => status))).toEqual(new Set([200]));
    const last = silent.at(-1) ?? 0;
    await until('the end of a look-up', async () => (await hooks.deliveriesOf(last)).length > 0);
    const problem = 'the name servers do not answer';
    expect(await hooks.deliveriesOf(last)).toMatchObject([{ status: null, problem }]);
    for (const server of [processor, receiver]) server.stop();
    await names.stop();
  });

  it('that hangs does not hold up the others, nor those of its vendor', async () => {
    const open = new Set<ServerResponse>();
    hooks.behaviours.set('/hangs', (_, response) => {
      open.add(response);
      response.on('close', () => open.delete(response));
    });
    for (const vendor of [2, 3]) {
      for (let made = 0; made < 10; made += 1) await hooks.endpointOf(vendor, '/hangs', 'now');
    }
    await hooks.endpointOf(4, '/well', 'now');
    await hooks.ledger.mustImport([transaction('hang-2', 20), transaction('hang-3', 30)]);
    await until('those that hang', () => open.size === 6);
    await hooks.ledger.mustImport([transaction('well-1', 40)]);
    await until('the first', () => hooks.receiver.received.some(({ path }) => path === '/well'));
    await hooks.ledger.mustImport([transaction('well-2', 40)]);
    const wells = () => hooks.receiver.received.filter(({ path }) => path === '/well').length;
    await until('the second', () => wells() === 2);
    expect(open.size).toBe(6);
  });
});
