/** A server that accepts encrypted connections only, and servers with wrong certificates. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { DatabaseProbe } from '../../src/platform/observability/database-probe.js';
import { readSettings } from '../../src/start/load-settings.js';
import { Certificates } from '../support/servers/certificates.js';
import { runCli, type Ended } from '../support/processes/cli.js';
import type { FlakyProxy } from '../support/servers/flaky-proxy.js';
import { statesOf } from '../support/processes/gauges.js';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { TestService, TEST_SECRET } from '../support/servers/service.js';

const LIST = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-12-31';
/** This time has several checks of every host and replica. */
const LOOKS_MS = 1_000;

let certificates: Certificates;
beforeAll(() => {
  certificates = new Certificates();
  certificates.make('localhost', 'localhost');
  certificates.make('elsewhere', 'elsewhere.example');
});
afterAll(() => {
  certificates.remove();
});

/** Returns the server's options for a certificate. */
const showing = (file: string) => [
  `--ssl-cert=${certificates.certificate(file)}`,
  `--ssl-key=${certificates.key(file)}`,
];
const addressOf = (...ports: number[]) =>
  `mysql://tests:tests@${ports.map((port) => `localhost:${port}`).join(',')}/faults`;

describe('a service that trusts an authority', () => {
  let database: OwnDatabase;
  let second: FlakyProxy;
  let service: TestService;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await OwnDatabase.start(showing('localhost'));
    second = await database.anotherNetwork();
    const connection = await createConnection(database.directUrl);
    await connection.query('SET GLOBAL require_secure_transport = ON');
    await connection.end();
    environment = {
      DATABASE_URL: addressOf(database.network.port, second.port),
      DATABASE_REPLICA_URLS: addressOf(second.port),
      DATABASE_TLS_CA: certificates.certificate('localhost'),
    };
    const url = environment.DATABASE_URL ?? '';
    service = await TestService.on({ url, folder: '', drop: () => Promise.resolve() }, environment);
  });
  afterAll(async () => {
    await service.stop();
    await second.close();
    await database.end();
  });

  it('uses encrypted connections to every host and replica', async () => {
    await service.import([user(1), product(10, 1), transaction('sold', 10)]);
    const key = await service.key(1);
    const { results } = await service.envelope(LIST, key);
    expect(results).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
    expect(await statesOf(service, 'database_hosts')).toEqual({ up: 2, passed_over: 0 });
    expect(await statesOf(service, 'database_replicas')).toEqual({ up: 1, passed_over: 0 });
    database.network.fail();
    expect((await service.get(LIST, key)).status).toBe(200);
    database.network.isRefused = false;
  });

  it('uses one for health checks', async () => {
    const settings = readSettings({ KEY_ENCRYPTION_SECRET: TEST_SECRET, ...environment });
    const probe = new DatabaseProbe(settings.database);
    expect(await probe.probe()).toEqual({ answers: true, arrivals: 1, fault: null });
    probe.close();
  });

  it('is needed, and its absence is reported in one line', async () => {
    const { status, stderr } = await runCli(addressOf(second.port), ['verify']);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^DATABASE_\w+: [^\n]*only encrypted connections[^\n]*\n$/);
  });
});

describe.each([
  ['a certificate that another authority signed', 'localhost', 'elsewhere'],
  ['a certificate for another host', 'elsewhere', 'elsewhere'],
  ['none', null, 'localhost'],
])('if the database shows %s', (_, shown, trusted) => {
  let database: OwnDatabase;

  beforeAll(async () => {
    database = await OwnDatabase.start(shown === null ? ['--skip-ssl'] : showing(shown));
  });
  afterAll(() => database.end());

  const verified = (DATABASE_TLS_CA: string): Promise<Ended> =>
    runCli(addressOf(database.network.port), ['verify'], { env: { DATABASE_TLS_CA } });

  it.each(['the file', 'system'])('no command trusts it, with %s', async (authorities) => {
    const { status, stdout, stderr } = await verified(
      authorities === 'system' ? authorities : certificates.certificate(trusted),
    );
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(/^DATABASE_TLS_CA: [^\n]*certificate[^\n]*\n$/);
  });
});
