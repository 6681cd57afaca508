/** Calls to servers of the operator: the reported facts about a failed call. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { SmtpServer } from '../../../src/platform/mail/smtp-server.js';
import { HostNames, NameServers } from '../../../src/platform/outgoing/host-names.js';
import { NotConnectedError, OperatorCalls } from '../../../src/platform/outgoing/operator-calls.js';
import { OutgoingError } from '../../../src/platform/outgoing/outgoing-request.js';
import { TestNameServer } from '../../support/servers/name-server.js';

const CALL = { headers: {}, body: '{}', ms: 1_000 };
const received: string[] = [];
const server = createServer((request, response) => {
  received.push(request.url ?? '');
  if (request.url === '/closes') request.socket.destroy();
  else response.writeHead(202).end();
});
let port: number;
let nameServer: TestNameServer;
let names: HostNames;
let calls: OperatorCalls;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
  nameServer = await TestNameServer.start();
  nameServer.names.set('silent.test', 'silent').set('here.test', ['127.0.0.1']);
  names = new HostNames(new NameServers([nameServer.address]));
  calls = new OperatorCalls(names);
});
afterAll(async () => {
  names.onApplicationShutdown();
  server.close();
  await nameServer.stop();
});

it('returns the status of the answer', async () => {
  expect(await calls.post(`http://here.test:${port}/well`, CALL)).toBe(202);
  expect(received).toContain('/well');
});

it('waits with many calls at a time on no signal that they share', async () => {
  // Node.js warns of a leak at the eleventh listener of a signal.
  const listened = jest.spyOn(AbortSignal.prototype, 'addEventListener');
  const many = Array.from({ length: 12 }, () => calls.post(`http://127.0.0.1:${port}/well`, CALL));
  expect(await Promise.all(many)).toEqual(many.map(() => 202));
  expect(listened).not.toHaveBeenCalled();
  listened.mockRestore();
});

it.each([
  ['an unknown name', 'https://nobody.test/'],
  ['a name whose server is silent', 'https://silent.test/'],
  ['a port where nobody listens', 'http://127.0.0.1:1/'],
])('tells that nothing was received with %s', async (_, url) => {
  await expect(calls.post(url, CALL)).rejects.toThrow(NotConnectedError);
});

it('does not tell so if the server has the request', async () => {
  await expect(calls.post(`http://127.0.0.1:${port}/closes`, CALL)).rejects.toThrow(OutgoingError);
  expect(received).toContain('/closes');
});

it('tells why a mail was not sent', async () => {
  const settings = {
    host: 'nobody.test',
    port: undefined,
    login: null,
    ca: undefined,
    encryption: 'starttls',
    from: { name: '', address: 'reports@example.test' },
  } as const;
  const mail = { to: 'ann@example.test', subject: 'Hello', text: 'Hello' };
  await expect(new SmtpServer(settings, 'localhost', calls).send(mail)).rejects.toThrow(
    'The SMTP server cannot be reached: the name was not found.',
  );
});
