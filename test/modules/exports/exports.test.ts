/** Exports: the list of API 3.0 at one state of the ledger (docs/exports.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportedLedger, EXPORTED } from '../../support/builders/exported-ledger.js';
import { transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import type { Answer } from '../../support/http/http.js';
import { readingSlowly } from '../../support/http/slow-reader.js';
import { walkList } from '../../support/oracles/report-oracle.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { statesOf } from '../../support/processes/gauges.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';

const JUNE = { start_date: '2025-06-01', end_date: '2025-06-30' };
const ALL = { start_date: '1000-01-01', end_date: '9999-12-31' };
const IN_JUNE = '?start_date=2025-06-01&end_date=2025-06-30';

let service: TestService;
let ledger: TestLedger;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import(exportedLedger());
  key = await service.key(1);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

function exported(file: string): Promise<Answer> {
  return service.get(`/ledger/v1/transactions.${file}`, key);
}

async function changesAfter(cursor: unknown): Promise<unknown[]> {
  const { results } = await service.envelope(`/ledger/v1/changes?after=${String(cursor)}`, key);
  return results.map(({ transaction }) => transaction);
}

describe('an export', () => {
  it('is the list of 3.0 as NDJSON, in its order, byte for byte', async () => {
    const { status, headers, text } = await exported(`ndjson${IN_JUNE}`);
    const listed = await walkList(service, key, JUNE);
    expect(listed).toHaveLength(EXPORTED);
    expect(text).toBe(listed.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    expect(headers['x-ledger-count']).toBe(String(listed.length));
    expect(headers['content-disposition']).toBe(
      'attachment; filename=transactions-2025-06-01-to-2025-06-30.ndjson',
    );
    expect(headers['x-api-version']).toBe('ledger-1');
    expect(await changesAfter(headers['x-ledger-cursor'])).toEqual([]);
  });

  it('has everything without dates', async () => {
    const { headers, text } = await exported('ndjson');
    const listed = await walkList(service, key, ALL);
    expect(text).toBe(listed.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect(headers['x-ledger-count']).toBe(String(EXPORTED));
  });
});

describe('while an export is read slowly', () => {
  it('others write, and it shows the state in which it began', async () => {
    const before = await exported('ndjson');
    const reader = await readingSlowly(service.port, '/ledger/v1/transactions.ndjson', key);
    const added = [
      transaction('new', 10, { sale_date: '2025-06-01T00:00:00Z' }),
      transaction('same-7', 10, { sale_date: '2025-06-15T12:00:00Z', amount: '99.99' }),
      user(3, { display_name: 'Renamed' }),
    ];
    await service.import(added);
    expect(reader.isEnded()).toBe(false);
    const { headers, text } = await reader.rest();
    expect(text).toBe(before.text);
    expect(headers['x-ledger-cursor']).toBe(before.headers['x-ledger-cursor']);
    const changed = await changesAfter(headers['x-ledger-cursor']);
    expect(changed).toMatchObject([
      { transaction_id: 'new' },
      { transaction_id: 'same-7', amount: '99.99' },
      undefined,
    ]);
  });

  it('the next one of the same ledger waits, and those who leave make room', async () => {
    const [first, second] = [
      await readingSlowly(service.port, '/ledger/v1/transactions.ndjson', key),
      readingSlowly(service.port, '/ledger/v1/transactions.ndjson', key),
    ];
    first.leave();
    expect((await (await second).rest()).status).toBe(200);
    const other = await service.key(2);
    expect((await service.get('/ledger/v1/transactions.csv', other)).status).toBe(200);
  });
});

describe('an export that its client does not read', () => {
  it('is cut off if its key is revoked', async () => {
    const applications = service.app.get(ApiApplicationsService);
    const issued = await applications.createApplication(1, 'revoked', null);
    await readingSlowly(service.port, '/ledger/v1/transactions.ndjson', issued.key);
    expect(await taken()).toBeGreaterThan(0);
    await applications.revokeApplication(issued.application.id);
    await until('its end', async () => (await taken()) === 0);
  });

  it('is cut off if another vendor waits for its place', async () => {
    const one = await service.beside({ DATABASE_CONNECTIONS: '3' });
    try {
      await readingSlowly(one.port, '/ledger/v1/transactions.ndjson', key);
      const others = await service.key(2);
      const answer = await one.get('/ledger/v1/transactions.ndjson', others);
      expect(answer).toMatchObject({ status: 200, headers: { 'x-ledger-count': '1' } });
    } finally {
      await one.stop();
    }
  });

  async function taken(): Promise<number> {
    return (await statesOf(service, 'answer_memory_bytes')).taken ?? 0;
  }
});

describe('an export that cannot be finished', () => {
  it('is cut off, and never ended as if whole', async () => {
    await ledger.run('UPDATE sale_counts SET sales = sales + 1 WHERE vendor_id = 1');
    try {
      for (const format of ['ndjson', 'csv', 'parquet']) {
        await expect(exported(format)).rejects.toThrow(/^(aborted|socket hang up)$/);
      }
    } finally {
      await ledger.run('UPDATE sale_counts SET sales = sales - 1 WHERE vendor_id = 1');
    }
    expect((await exported('ndjson')).status).toBe(200);
  });
});
