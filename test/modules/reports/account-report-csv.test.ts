import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JUNE, LIST, pathOf, reportLedger, VENDOR } from '../../support/browser/report-pages.js';
import { walkList } from '../../support/oracles/report-oracle.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { Visitor } from '../../support/browser/visitor.js';

let service: TestService;
let vendor: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import(reportLedger());
  vendor = await Visitor.signedIn(service, VENDOR);
});
afterAll(() => service.stop());

describe('the CSV', () => {
  it('is a file of the same transactions, with no cell that a spreadsheet would run', async () => {
    const answer = await vendor.get(pathOf(`${LIST}.csv`, JUNE, { refunds: 'sale' }));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename=transactions-2025-06-01-to-2025-06-30.csv',
      'cache-control': 'private, no-store',
    });
    expect(answer.text).toMatch(/^\uFEFFtransaction_id,sale_date \(UTC\),/);
    expect(answer.text.split('\r\n')).toHaveLength(30 + 2);
    expect(answer.text).toContain(`"'=HYPERLINK(""http://evil.test"")<script>`);
    expect(answer.text).toContain("'+1");
    expect(answer.text).not.toMatch(/(?:^|,)"?[=+@]/m);
  });

  it('has by default what was refunded in the range, too, as the 3.0 list has', async () => {
    const list = await walkList(service, await service.key(VENDOR), JUNE);
    const { text } = await vendor.get(pathOf(`${LIST}.csv`, JUNE));
    const ids = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((record) => record.split(',')[0]);
    expect(ids).toEqual(list.map(({ transaction_id }) => transaction_id));
    expect(ids.length).toBeGreaterThan(30);
  });

  it('answers HEAD without a body', async () => {
    const cookie = `session=${String(vendor.cookie('session'))}`;
    const head = await service.send({
      method: 'HEAD',
      path: pathOf(`${LIST}.csv`, JUNE),
      headers: { Cookie: cookie },
    });
    expect(head).toMatchObject({ status: 200, text: '' });
  });
});

describe('the exports', () => {
  it.each(['ndjson', 'parquet'])('are those of the interface, as %s', async (format) => {
    const key = await service.key(VENDOR);
    const range = '?start_date=2025-06-01&end_date=2025-06-30&figure=seller_earnings';
    const wanted = await service.get(`/ledger/v1/transactions.${format}${range}`, key);
    const path = pathOf(`${LIST}.${format}`, JUNE);
    const answer = await vendor.get(path);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(wanted.body)).toBe(true);
    const name = `attachment; filename=transactions-2025-06-01-to-2025-06-30.${format}`;
    expect(answer.headers['content-disposition']).toBe(name);
  });

  it('have of a filtered list what its CSV has', async () => {
    const filter = { kind: 'refunds', status: 'refunded', amount_from: '1030.00', product: '10' };
    const page = await vendor.get(pathOf(LIST, JUNE, { ...filter, refunds: 'sale' }));
    const [csv = '', ndjson = '', parquet = ''] = Array.from(
      page.text.matchAll(/href="([^"]+)">(?:<span[^>]*>)?Download as/g),
      ([, href = '']) => href.replaceAll('&amp;', '&'),
    );
    const records = (await vendor.get(csv)).text.split('\r\n').slice(1, -1);
    expect(records.length).toBeGreaterThan(2);
    const ids = records.map((record) => record.split(',')[0]);
    const lines = (await vendor.get(ndjson)).text.trim().split('\n');
    const objects = lines.map((line) => JSON.parse(line) as { transaction_id: string });
    expect(objects.map(({ transaction_id }) => transaction_id)).toEqual(ids);
    const key = await service.key(VENDOR);
    const range = 'start_date=2025-05-01&end_date=2025-08-31&page_size=200';
    const { results } = await service.envelope(`/v3.0/transactions?${range}`, key);
    const added = new Set(['kind', 'currency', 'in_period']);
    for (const object of objects) {
      const as3 = Object.entries(object).filter(([name]) => !added.has(name));
      expect(results).toContainEqual(Object.fromEntries(as3));
    }
    const answer = await vendor.get(parquet);
    const name = 'attachment; filename=refunds-2025-06-01-to-2025-06-30.parquet';
    expect(answer.headers['content-disposition']).toBe(name);
    expect(answer.text.startsWith('PAR1')).toBe(true);
  });

  it('are not there for an affiliate', async () => {
    const path = `${pathOf(`${LIST}.ndjson`, JUNE)}&as=affiliate`;
    expect((await vendor.get(path)).status).toBe(404);
  });
});

describe('a CSV that breaks off', () => {
  it('ends as a download that failed, never as a shorter file', async () => {
    const look = TestLedger.on(service.database);
    await look.run('ALTER TABLE transactions RENAME TO transactions_elsewhere');
    try {
      await expect(vendor.get(pathOf(`${LIST}.csv`, JUNE))).rejects.toThrow(
        /aborted|hang up|RESET/,
      );
    } finally {
      await look.run('ALTER TABLE transactions_elsewhere RENAME TO transactions');
      await look.close();
    }
    const whole = await vendor.get(pathOf(`${LIST}.csv`, JUNE, { refunds: 'sale' }));
    expect(whole.text.split('\r\n')).toHaveLength(32);
  });
});
