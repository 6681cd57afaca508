import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../scripts/throwaway-mysql.mjs';
import { basic, send } from '../support/http/http.js';
import type { KeepAliveLoad } from '../support/http/keep-alive-load.js';
import { endAll, RunningService, until } from '../support/servers/running-service.js';
import { stoppedFor } from '../support/processes/stopped-for.js';
import type { TestLedger } from '../support/builders/test-ledger.js';
import {
  AFFILIATES,
  NAMES_PATH,
  relationshipOf,
  workersLedger,
} from '../support/builders/workers-ledger.js';

let ledger: TestLedger;
let key: string;
beforeAll(async () => {
  ({ ledger, key } = await workersLedger());
});
afterAll(async () => {
  await endAll();
  await ledger.drop();
});

describe('WORKERS=2, over the life of one service,', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await RunningService.start(ledger, 2);
  });

  /** Waits until every worker has answered, and ends the load. */
  async function answeredByAll(load: KeepAliveLoad): Promise<void> {
    await until('answers of every worker', () => {
      const { workers } = service;
      return workers.length === 2 && workers.every((pid) => load.processes.has(pid));
    });
    await load.end();
  }

  /** Returns a connection to each worker. A client cannot choose the worker of a new connection. */
  async function connections(): Promise<Agent[]> {
    const byProcess = new Map<unknown, Agent>();
    await until('a connection to every worker', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const request = { path: NAMES_PATH, headers: basic(key) };
      const { headers } = await send(service.port, request, agent);
      byProcess.get(headers['x-process'])?.destroy();
      byProcess.set(headers['x-process'], agent);
      return byProcess.size === 2;
    });
    return [...byProcess.values()];
  }

  it('answers with two processes on one port, and prints the welcome once', async () => {
    const load = service.load(key, NAMES_PATH);
    await answeredByAll(load);
    expect(load.processes).toEqual(new Set(service.workers));
    expect([...load.failures, ...load.refusals]).toEqual([]);
    expect(service.lines(/listens on/)).toHaveLength(1);
  });

  it('replaces a worker that is killed under load, and logs it once', async () => {
    const [killed = 0, other = 0] = service.workers;
    const load = service.load(key, NAMES_PATH);
    await until('answers of both', () => load.processes.size === 2);
    process.kill(killed, 'SIGKILL');
    await until('another worker', () => {
      const { workers } = service;
      return workers.length === 2 && !workers.includes(killed) && workers.includes(other);
    });
    load.look();
    await answeredByAll(load);
    expect(service.lines(/Worker/)).toEqual([
      expect.stringMatching(`Worker ${killed} ended by SIGKILL; another follows in 100 ms`),
    ]);
  });

  it('replaces every worker at SIGHUP without a failed request', async () => {
    const before = service.workers;
    const load = service.load(key, NAMES_PATH);
    await until('answers of both', () => load.processes.size === 2);
    process.kill(service.pid, 'SIGHUP');
    await until(
      'the end of the restart',
      () => service.lines(/All workers were replaced/).length > 0,
    );
    load.look();
    await answeredByAll(load);
    expect(service.workers.filter((pid) => before.includes(pid))).toEqual([]);
    expect([...load.failures, ...load.refusals]).toEqual([]);
  });

  it('starts again on the same port if all workers of a restart die at once, after a longer pause', async () => {
    const before = service.workers;
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const others = () => service.workers.filter((pid) => !before.includes(pid));
    await until('another worker', () => others().length > 0);
    // A worker that has run for a while did not fail at its start, so it is replaced at once.
    const [again = 0] = others();
    process.kill(again, 'SIGKILL');
    const told = () => service.lines(new RegExp(`Worker ${again} ended`));
    await until('the log', () => told().length > 0);
    expect(told()).toEqual([expect.stringMatching(/ in [24]00 ms/)]);
    await answeredByAll(service.load(key, NAMES_PATH));
  });

  it('loses no write of two processes at once', async () => {
    const agents = await connections();
    const answers = await Promise.all(
      AFFILIATES.map((affiliate, place) => {
        const request = {
          method: 'PUT',
          path: relationshipOf(affiliate),
          headers: { ...basic(key), 'Content-Type': 'application/json' },
          body: JSON.stringify({ approval_status: 'INSTANT', custom_commission: affiliate % 90 }),
        };
        return send(service.port, request, agents[place % agents.length]);
      }),
    );
    for (const agent of agents) agent.destroy();
    expect(answers.map(({ status }) => status)).toEqual(AFFILIATES.map(() => 200));
    expect(new Set(answers.map(({ headers }) => headers['x-process'])).size).toBe(2);
    const kept = await ledger.rows(
      'SELECT affiliate_id, custom_commission FROM affiliations ORDER BY affiliate_id',
    );
    expect(kept).toEqual(
      AFFILIATES.map((id) => ({ affiliate_id: id, custom_commission: id % 90 })),
    );
    expect(
      await ledger.rows("SELECT id FROM audit_log WHERE action LIKE 'affiliation%'"),
    ).toHaveLength(AFFILIATES.length);
  });

  it('leaves no worker behind if the primary is killed', async () => {
    process.kill(service.pid, 'SIGKILL');
    // The process counts as ended when its last child has closed its output.
    expect(await service.ended).toMatchObject({ status: null });
  });
});

describe('A worker that hangs', () => {
  it('is killed and replaced while the other answers, but not after all were suspended', async () => {
    const port = await freePort();
    const service = await RunningService.start(ledger, 2, {
      WORKER_HANG_SECONDS: '3',
      MANAGEMENT_PORT: String(port),
    });
    const [hung = 0, other = 0] = service.workers;
    // Stopping them has the effect of a machine that sleeps for longer than a worker may be silent.
    const all = [service.pid, hung, other];
    await stoppedFor(4_000, all);
    // The workers get one more check, and answer it, before they could be killed.
    const load = service.load(key, NAMES_PATH);
    await until('answers of both', () => load.processes.has(hung) && load.processes.has(other));
    expect(service.lines(/has not answered/)).toEqual([]);
    await load.end();
    process.kill(hung, 'SIGSTOP');
    const others = service.load(key, NAMES_PATH);
    await until('another worker', () => service.workers.some((pid) => !all.includes(pid)));
    const before = others.answers;
    await until('answers', () => others.answers > before);
    await others.end();
    expect(service.workers).not.toContain(hung);
    const told = `Worker ${hung} has not answered for 3 s and is killed`;
    await until('the log', () => service.lines(/ended by SIGKILL/).length === 1);
    expect(service.lines(/has not answered/)).toEqual([expect.stringContaining(told)]);
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(await metrics.text()).toMatch(/^vendor_reporting_hung_workers_total 1$/m);
  });
});

describe.each(['1', '2'])('WORKERS=%s', (workers) => {
  it('exits with one line and status 1 if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const service = new RunningService(ledger, { WORKERS: workers, PORT: port });
    const { status, stdout, stderr } = await service.ended;
    other.close();
    expect(status).toBe(1);
    // The databases of the tests are fast rather than safe, which the log reports.
    const told = stdout.replace(/^.*an acknowledged write may be lost.*\n/gm, '');
    expect(told).toMatch(/^[^\n]+ starts on Node\.js [^\n]+\n$/);
    expect(stderr).toMatch(/^PORT: another program already uses this port[^\n]*\n$/);
  });
});

it('refuses an invalid number of workers in one line', async () => {
  const { ended } = new RunningService(ledger, { WORKERS: '65' });
  const { status, stdout, stderr } = await ended;
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^WORKERS: must be an integer from 1 to 64, or auto[^\n]*\n$/);
});
