import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basic } from '../../support/http/http.js';
import { freePort } from '../../../scripts/throwaway-mysql.mjs';
import {
  alertQueries,
  dashboardQueries,
  documentedMetrics,
  metricsOf,
  unknownIn,
} from '../../support/oracles/metric-uses.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { SlowPut } from '../../support/http/slow-put.js';
import { dialect } from '../../support/sql/test-database.js';
import type { TestLedger } from '../../support/builders/test-ledger.js';
import {
  AFFILIATES,
  relationshipOf,
  workersLedger,
} from '../../support/builders/workers-ledger.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

const [AFFILIATE = 0] = AFFILIATES;

let ledger: TestLedger;
let key: string;
let management: number;

beforeAll(async () => {
  ({ ledger, key } = await workersLedger());
});
afterAll(async () => {
  await endAll();
  await ledger.drop();
});

async function start(workers: number, env: Record<string, string> = {}): Promise<RunningService> {
  management = await freePort();
  return RunningService.start(ledger, workers, { MANAGEMENT_PORT: String(management), ...env });
}

const look = (path: string) => fetch(`http://127.0.0.1:${management}${path}`);
const ask = (service: RunningService, path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${service.port}${path}`, { headers: { ...basic(key), ...headers } });

/** Returns the value of a metric with these labels, in any order. */
async function metric(name: string, labels: Record<string, string> = {}): Promise<number> {
  const text = await (await look('/metrics')).text();
  const found = text.split('\n').filter((line) => line.startsWith(`vendor_reporting_${name}`));
  const matching = found.filter((line) =>
    Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
  );
  return Number(/ (\S+)$/.exec(matching[0] ?? '')?.[1]);
}

async function expectReports(service: RunningService): Promise<void> {
  expect(await (await look('/health/live')).json()).toEqual({ status: 'live' });
  expect(await (await look('/health/ready')).json()).toEqual({ status: 'ready' });
  for (let asked = 0; asked < 20; asked += 1) await ask(service, '/v3.0');
  await ask(service, '/v3.0/transactions');
  await ask(service, '/v2.0/nowhere');
  for (const page of ['applications/7', 'applications/8', 'nowhere']) {
    await fetch(`http://127.0.0.1:${service.port}/account/${page}`, { redirect: 'manual' });
  }
  const requests = 'requests_total';
  const page = { operation: '/account/applications/{id}', status: '303' };
  expect(await metric(requests, page)).toBe(2);
  expect(await metric(requests, { operation: 'unmatched', status: '404', version: '3.0' })).toBe(1);
  expect(
    await metric(requests, { operation: '/v3.0', version: '3.0', status: '200', code: '2000' }),
  ).toBe(20);
  expect(
    await metric(requests, { operation: '/v3.0/transactions', status: '400', code: '4001' }),
  ).toBe(1);
  expect(await metric(requests, { operation: 'unmatched', version: '2.0', code: '4040' })).toBe(1);
  expect(await metric('request_duration_seconds_count', { operation: '/v3.0' })).toBe(20);
  expect(await metric('ready')).toBe(1);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await metric('build_info', { version })).toBe(1);
  expect(service.lines(/./)[0]).toContain(`Vendor Reporting API ${version} starts`);
  expect(service.lines(/Vendor Reporting API \S+ starts/)).toHaveLength(1);
  expect(await metric('ledger_arrivals_total')).toBeGreaterThanOrEqual(0);
  expect((await look('/nowhere')).status).toBe(404);
  expect((await look('/v3.0')).status).toBe(404);
}

async function expectReportedStop(service: RunningService): Promise<void> {
  const body = { approval_status: 'INSTANT', custom_commission: 33 };
  const put = await SlowPut.begin(service.port, relationshipOf(AFFILIATE), key, body);
  process.kill(service.pid, 'SIGTERM');
  await until('the news', async () => (await look('/health/ready')).status === 503);
  expect(await (await look('/health/ready')).json()).toEqual({ status: 'stopping' });
  expect((await look('/health/live')).status).toBe(200);
  await until('the refusal', () =>
    ask(service, '/v3.0').then(
      () => false,
      () => true,
    ),
  );
  expect((await put.finish()).status).toBe(200);
  expect((await service.ended).status).toBe(0);
}

const REPORTS = 'reports liveness, readiness and metrics';
const STOP = 'reports a shutdown at once, rejects new requests then, and finishes pending ones';

describe('the management port of one process', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await start(1);
  });

  it(REPORTS, () => expectReports(service));

  it('ends the start of another service that is to have it, with one line', async () => {
    const other = new RunningService(ledger, { MANAGEMENT_PORT: String(management) });
    const { status, stderr } = await other.ended;
    expect(status).toBe(1);
    expect(stderr).toMatch(/^MANAGEMENT_PORT: [^\n]+\n$/);
    expect((await ask(service, '/v3.0')).status).toBe(200);
  });

  it(STOP, () => expectReportedStop(service));
});

describe('the management port of two workers', () => {
  let service: RunningService;
  beforeAll(async () => {
    const { url } = ledger.database;
    const hosts = url.replace(/@([^/]+)/, '@$1,$1');
    const several = { DATABASE_URL: hosts, DATABASE_REPLICA_URLS: url };
    service = await start(2, dialect === 'mysql' ? several : {});
  });

  /** Returns whether only MySQL and MariaDB have the metric, for hosts and replicas. */
  const isElsewhere = (name: string) =>
    dialect === 'sqlite' && name.includes('vendor_reporting_database_');

  it(REPORTS, () => expectReports(service));

  // Only the primary shows some of the metrics.
  it('shows everything in the dashboard, the alerts and the docs, and the docs list all of it', async () => {
    const metrics = metricsOf(await (await look('/metrics')).text());
    for (const queries of [
      dashboardQueries('deploy/grafana/vendor-reporting.json'),
      alertQueries('docker/alerts.yml'),
    ]) {
      expect(queries.length).toBeGreaterThan(10);
      expect(unknownIn(queries, metrics).filter((name) => !isElsewhere(name))).toEqual([]);
    }
    const documented = documentedMetrics('docs/operating/logs-and-metrics.md');
    const own = [...metrics].filter(([name]) =>
      /^vendor_reporting_.*(?<!_sum|_bucket)$/.test(name),
    );
    const named = own.map(([name, labels]) => [name.replace(/_count$/, ''), labels] as const);
    const expected = [...documented].filter(([name]) => !isElsewhere(name));
    expect(named.sort()).toEqual(expected.sort());
  });

  it(STOP, () => expectReportedStop(service));
});

describe('a service in production without a management port', () => {
  let service: RunningService;
  beforeAll(async () => {
    const production = { NODE_ENV: 'production', REQUIRE_HTTPS: 'off' };
    service = await start(1, { ...production, MANAGEMENT_PORT: 'off' });
  });

  it('logs one line of JSON per request, with the trace and without secrets', async () => {
    await ask(service, '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31', {
      traceparent: `00-${TRACE}-${PARENT}-01`,
      'X-Request-Id': 'my-id',
    });
    await ask(service, '/v3.0', { 'X-Request-Id': key });
    await until('the lines', () => service.lines(/"context":"Request"/).length === 2);
    const [line = '', second = ''] = service.lines(/"context":"Request"/);
    expect(JSON.parse(line)).toMatchObject({
      level: 'log',
      context: 'Request',
      message: {
        requestId: 'my-id',
        applicationId: 1,
        method: 'GET',
        version: '3.0',
        operation: '/v3.0/transactions',
        status: 200,
        code: 2000,
        aborted: false,
        durationMs: expect.any(Number),
        traceId: TRACE,
        parentId: PARENT,
      },
    });
    expect(second).not.toContain(key);
  });

  it('reports nothing on any', async () => {
    expect((await ask(service, '/v3.0')).status).toBe(200);
    await expect(look('/health/live')).rejects.toThrow('fetch failed');
  });
});
