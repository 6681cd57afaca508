import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { basic, send, type Answer } from '../../support/http/http.js';
import { linesOf, NDJSON, RECORDS, sendBody, sendRecords } from '../../support/http/records.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { statesOf } from '../../support/processes/gauges.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { createTestDatabase } from '../../support/sql/test-database.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';

const MEBIBYTE = 1024 * 1024;
const PREFIX = 'vendor-reporting-records-';
const [OLD, NEW] = [`${PREFIX}old`, `${PREFIX}new`];
const HOUR_MS = 3_600_000;
/** A line of 200 KiB that is not a record, so that nothing of it is stored. */
const LARGE_LINE = `{"x":"${'x'.repeat(200 * 1024)}"}\n`;

let service: TestService;
let raw: RawConnection;
let key: string;
let folder: string;
beforeAll(async () => {
  const database = await createTestDatabase();
  folder = join(database.folder, 'spool');
  mkdirSync(folder);
  for (const name of [OLD, NEW]) writeFileSync(join(folder, name), '');
  const before = new Date(Date.now() - HOUR_MS);
  utimesSync(join(folder, OLD), before, before);
  service = await TestService.on(database, {
    DATABASE_STATEMENT_MS: '20000',
    DATABASE_CONNECTIONS: '10',
    RECORDS_SPOOL_FOLDER: folder,
    RECORDS_SPOOL_MB: '32',
  });
  raw = await openRaw(database.url);
  key = await service.sourceKey(null);
  await sendRecords(service, key, [user(1), product(10, 1)]);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

async function idsLike(pattern: string): Promise<unknown[]> {
  const sql = `SELECT transaction_id FROM transactions WHERE transaction_id LIKE '${pattern}'`;
  return (await raw.rows(sql)).map(({ transaction_id }) => transaction_id);
}

/** Begins a request, and leaves its body unfinished. */
async function begin(body: string, by = key): Promise<ClientRequest> {
  const sent = request({
    host: '127.0.0.1',
    port: service.port,
    path: RECORDS,
    method: 'POST',
    agent: false,
    headers: { ...basic(by), 'Content-Type': NDJSON, 'Transfer-Encoding': 'chunked' },
  });
  // The test itself breaks some of the connections.
  sent.on('error', () => undefined);
  if (!sent.write(body)) await once(sent, 'drain');
  return sent;
}

function files(): string[] {
  return readdirSync(folder).filter((name) => name !== NEW);
}

describe('the spool', () => {
  it('removes at the start what a crash left behind, and nothing that may be in use', () => {
    expect(readdirSync(folder)).toEqual([NEW]);
  });

  it('refuses with 429 what it has no room for, and has room again afterwards', async () => {
    const first = await begin(LARGE_LINE.repeat(140));
    const others = LARGE_LINE.repeat(30);
    const used = async () => (await statesOf(service, 'records_spool_bytes')).used ?? 0;
    // The test waits for the first body, which could otherwise be the one without space.
    await until('the first in the spool', async () => (await used()) > 139 * LARGE_LINE.length);
    const answer = await sendBody(service, key, others);
    expectFailure(answer, 4290, 'ledger-1');
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    // Some space is always reserved for other sources.
    const other = await service.sourceKey(1);
    expect((await sendBody(service, other, LARGE_LINE)).status).toBe(200);
    // The files have no name by which another process could find the records.
    expect(files()).toEqual([]);
    first.destroy();
    await until('room', async () => (await used()) === 0);
    expect((await sendBody(service, key, others)).status).toBe(200);
  });
});

it('writes nothing of a body that breaks off', async () => {
  const sent = await begin(`${linesOf([transaction('BROKEN-1', 10)])}{"type":"transaction",`);
  const closed = new Promise((resolve) => sent.once('close', resolve));
  sent.destroy();
  await closed;
  // The service notices the end of the other connection before it answers this request.
  const answer = await sendRecords(service, key, [transaction('WHOLE-1', 10)]);
  expect(answer.status).toBe(200);
  expect(await idsLike('%-1')).toEqual(['WHOLE-1']);
});

it('writes nothing if the key is revoked while the body arrives', async () => {
  const applications = service.app.get(ApiApplicationsService);
  const { application, key: other } = await applications.createSource(null, 'revoked', null);
  const sent = await begin(linesOf([transaction('REVOKED', 10)]), other);
  const answered = once(sent, 'response');
  await applications.revokeApplication(application.id);
  sent.end();
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(401);
  expect(await idsLike('REVOKED')).toEqual([]);
});

it('serves 200 senders at once, and what was answered 200 is there', async () => {
  const senders = Array.from({ length: 200 }, (_, at) => at);
  const records = (at: number) =>
    Array.from({ length: 5 }, (_, number) => transaction(`MANY-${at}-${number}`, 10));
  const answers = await Promise.all(
    senders.map((at): Promise<Answer> => sendRecords(service, key, records(at))),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  const there = new Set(await idsLike('MANY-%'));
  const expected = senders.flatMap((at) =>
    statuses[at] === 200 ? records(at).map(({ transaction_id }) => transaction_id) : [],
  );
  expect(expected.filter((id) => !there.has(id))).toEqual([]);
  expect(there.size).toBe(expected.length);
});

it('answers a client that sends on after an error', async () => {
  const body = Buffer.alloc(40 * MEBIBYTE, 'x');
  const agent = new Agent({ keepAlive: true });
  const headers = { ...basic(key), 'Content-Type': NDJSON };
  const answer = await send(service.port, { method: 'POST', path: RECORDS, headers, body }, agent);
  agent.destroy();
  expectFailure(answer, 4000, 'ledger-1');
});
