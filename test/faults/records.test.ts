import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import type { Answer } from '../support/http/http.js';
import { resultsIn, sendRecords } from '../support/http/records.js';
import { expectFailure } from '../support/oracles/failure.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { until } from '../support/servers/running-service.js';
import { TestService } from '../support/servers/service.js';

const SENDERS = 4;
/** This is more than a batch, so that some records may be committed before the database fails. */
const RECORDS = 5_000;

let database: OwnDatabase;
let service: TestService;
let direct: Connection;
let key: string;
beforeAll(async () => {
  database = await OwnDatabase.start();
  const { url } = database;
  service = await TestService.on({ url, folder: '', drop: () => Promise.resolve() }, {});
  key = await service.sourceKey(null);
  await sendRecords(service, key, [user(1), product(10, 1)]);
});
afterAll(async () => {
  await direct.end();
  await service.stop();
  await database.end();
});

const idsOf = (sender: number) =>
  Array.from({ length: RECORDS }, (_, number) => `S${sender}-${number}`);

function send(sender: number): Promise<Answer> {
  return sendRecords(
    service,
    key,
    idsOf(sender).map((id) => transaction(id, 10)),
  );
}

async function stored(): Promise<Set<unknown>> {
  const sql = 'SELECT transaction_id FROM transactions';
  const [rows] = await direct.query<(RowDataPacket & { transaction_id: string })[]>(sql);
  return new Set(rows.map(({ transaction_id }) => transaction_id));
}

it('keeps what was answered 200 when the database is killed, and sending again mends the rest', async () => {
  direct = await createConnection(database.directUrl);
  const senders = Array.from({ length: SENDERS }, (_, at) => at);
  const sent = senders.map(send);
  await until('the first records', async () => (await stored()).size > 0);
  await direct.end();
  await database.kill();
  const answers = await Promise.all(sent);
  await database.restart();
  direct = await createConnection(database.directUrl);

  const failed = answers.filter(({ status }) => status !== 200);
  expect(failed.length).toBeGreaterThan(0);
  for (const answer of failed) {
    expectFailure(answer, 5000, 'ledger-1');
    expect(answer.headers['retry-after']).toBe('2');
  }
  const there = await stored();
  const acknowledged = senders.filter((sender) => answers[sender]?.status === 200).flatMap(idsOf);
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);

  await until('a database again', async () => (await sendRecords(service, key, [])).status === 200);
  for (const sender of senders) {
    const results = resultsIn(await send(sender));
    expect(results.filter(({ verdict }) => !/^(inserted|unchanged)$/.test(verdict))).toEqual([]);
  }
  expect((await stored()).size).toBe(SENDERS * RECORDS);
});
