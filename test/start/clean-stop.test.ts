import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Certificates } from '../support/servers/certificates.js';
import { endAll, RunningService, until } from '../support/servers/running-service.js';
import { basic, send } from '../support/http/http.js';
import { SlowPut } from '../support/http/slow-put.js';
import { stopwatch } from '../support/processes/stopwatch.js';
import type { TestLedger } from '../support/builders/test-ledger.js';
import {
  AFFILIATES,
  NAMES_PATH,
  relationshipOf,
  workersLedger,
} from '../support/builders/workers-ledger.js';

const [AFFILIATE = 0] = AFFILIATES;
/** This request waits for a transaction, which never comes, for longer than a stop may take. */
const CHANGES = '/ledger/v1/changes?kinds=transaction&wait=20';

let ledger: TestLedger;
let key: string;
beforeAll(async () => {
  ({ ledger, key } = await workersLedger());
});
afterEach(() => endAll());
afterAll(() => ledger.drop());

function put(service: RunningService): Promise<SlowPut> {
  const body = { approval_status: 'INSTANT', custom_commission: 33 };
  return SlowPut.begin(service.port, relationshipOf(AFFILIATE), key, body);
}

/** Waits until the port refuses connections. */
function refused(port: number): Promise<void> {
  return until('a closed port', async () => {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return false;
    } catch {
      return true;
    } finally {
      socket.destroy();
    }
  });
}

describe.each([1, 2])('A stop with WORKERS=%i', (workers) => {
  it('completes accepted requests, waits for a slow body, and leaves no process behind', async () => {
    const service = await RunningService.start(ledger, workers);
    const load = service.load(key, NAMES_PATH);
    const waiting = send(service.port, { path: CHANGES, headers: basic(key) });
    const slow = await put(service);
    await until('a load', () => load.answers > 200);
    const pids = service.workers;
    process.kill(service.pid, 'SIGTERM');
    await refused(service.port);
    // Before that, an answer leaves its connection open for further requests.
    await until('a stop in every worker', () => service.heard('stop').length === pids.length);
    const answer = await slow.finish();
    expect(answer.status).toBe(200);
    expect(answer.headers.connection).toBe('close');
    expect((await waiting).status).toBe(200);
    expect(await service.ended).toMatchObject({ status: 0, stderr: '' });
    await load.end();
    expect(load.failures).toEqual([]);
    expect(service.living).toEqual([]);
  });

  it('works the same if every process gets the signal, repeatedly', async () => {
    const service = await RunningService.start(ledger, workers);
    const load = service.load(key, NAMES_PATH);
    const slow = await put(service);
    await until('a load', () => load.answers > 50);
    const pids = service.living;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT'] as const) {
      for (const pid of pids) process.kill(pid, signal);
    }
    await refused(service.port);
    for (const pid of service.living) process.kill(pid, 'SIGTERM');
    expect(await slow.finish()).toMatchObject({ status: 200 });
    expect(await service.ended).toMatchObject({ status: 0, stderr: '' });
    await load.end();
    expect(load.failures).toEqual([]);
    expect(service.living).toEqual([]);
  });
});

describe('A stop', () => {
  it('during the start ends the workers that start, and tells nothing', async () => {
    const service = new RunningService(ledger, { WORKERS: '2' });
    await until('workers', () => service.workers.length === 2);
    process.kill(service.pid, 'SIGTERM');
    expect(await service.ended).toMatchObject({ status: 0, stderr: '' });
    expect(service.lines(/listens on/)).toEqual([]);
    expect(service.living).toEqual([]);
  });

  it('cuts off unfinished requests after SHUTDOWN_GRACE, reports it, and exits with status 1', async () => {
    const stopped = [1, 2].map(async (workers) => {
      const service = await RunningService.start(ledger, workers, { SHUTDOWN_GRACE: '1' });
      const slow = await put(service);
      const waited = stopwatch();
      process.kill(service.pid, 'SIGTERM');
      const { status, stderr } = await service.ended;
      // The default would be 10 s.
      expect(waited()).toBeLessThan(8_000);
      await expect(slow.answer).rejects.toThrow();
      return { status, log: stderr.trim().split('\n') };
    });
    const log = [expect.stringMatching(/took more than 1 s\. Requests cut off: 1\./)];
    expect(await Promise.all(stopped)).toEqual([
      { status: 1, log },
      { status: 1, log },
    ]);
  });

  it('does not wait long for a connection that never starts its TLS handshake', async () => {
    const certificates = new Certificates();
    certificates.make('one', 'localhost');
    const [TLS_CERT, TLS_KEY] = [certificates.certificate('one'), certificates.key('one')];
    const settings = { SHUTDOWN_GRACE: '120', TLS_CERT, TLS_KEY };
    const service = await RunningService.start(ledger, 1, settings);
    const silent = connect(service.port, '127.0.0.1');
    await once(silent, 'connect');
    const waited = stopwatch();
    process.kill(service.pid, 'SIGTERM');
    expect(await service.ended).toMatchObject({ status: 0 });
    expect(waited()).toBeLessThan(30_000);
    silent.destroy();
    certificates.remove();
  });

  it('does not wait long for idle clients, even during a restart', async () => {
    const service = await RunningService.start(ledger, 2, { SHUTDOWN_GRACE: '120' });
    const silent = Array.from({ length: 16 }, () => connect(service.port, '127.0.0.1'));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    // A worker that is replaced would give them half of that time, and another worker no limit.
    process.kill(service.pid, 'SIGHUP');
    await until('a worker that retires', () => service.heard('retire').length === 1);
    const waited = stopwatch();
    process.kill(service.pid, 'SIGTERM');
    expect(await service.ended).toMatchObject({ status: 0 });
    expect(waited()).toBeLessThan(30_000);
    expect(service.living).toEqual([]);
    for (const socket of silent) socket.destroy();
  });
});
