/** The kept sums of reports equal the ledger, whatever sequence of changes led to it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { REFUND_COHORTS } from '../../../src/ledger/sums/refund-cohorts.js';
import { AFFILIATE_DAY_SUMS, VENDOR_SUMS } from '../../../src/ledger/sums/report-sums.js';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { holds } from '../../support/random/properties.js';
import {
  CALENDARS,
  lineOf,
  recordOf,
  sale,
  VendorIds,
  type Sale,
} from '../../support/random/random-ledgers.js';
import { runCli } from '../../support/processes/cli.js';
import { openRaw, type RawRow } from '../../support/sql/raw-connection.js';
import { fillReportSums } from '../../support/sql/report-sums.js';
import { TestService } from '../../support/servers/service.js';

const LEDGERS = 60;
const TABLES = {
  vendor_sums: 'vendor_id, series, kind, day, item_id',
  affiliate_day_sums: 'vendor_id, kind, day, affiliate_id, product_id',
  refund_cohorts: REFUND_COHORTS.key.join(', '),
};
const SUMS = {
  vendor_sums: VENDOR_SUMS.sums,
  affiliate_day_sums: AFFILIATE_DAY_SUMS.sums,
  refund_cohorts: REFUND_COHORTS.sums,
};
/** Two imports: the second replaces records of the first. */
const ledgers = fc.record({
  calendar: fc.constantFrom(...CALENDARS),
  first: fc.array(sale, { minLength: 1, maxLength: 12 }),
  second: fc.array(sale, { maxLength: 12 }),
});

let service: TestService;
let vendors = 0;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

async function newVendor(): Promise<VendorIds> {
  vendors += 1;
  const ids = new VendorIds(vendors);
  await service.import([
    user(ids.vendor),
    user(ids.affiliate),
    product(ids.product(0), ids.vendor),
    product(ids.product(1), ids.vendor),
  ]);
  return ids;
}

function linesOf(ids: VendorIds, calendar: readonly string[], sales: readonly Sale[]): object[] {
  return sales.map((sold, place) => ({
    ...lineOf(recordOf(ids, place, calendar, sold)),
    taxes: sold.product === 0 ? null : { tax_total: `${sold.name.length + place}.07` },
  }));
}

function differences() {
  return service.app.get(VerificationService).differences();
}

async function kept(table: keyof typeof TABLES): Promise<RawRow[]> {
  const raw = await openRaw(service.database.url);
  const sums = SUMS[table].map((sum) => `CAST(${sum} AS CHAR) AS ${sum}`).join(', ');
  const rows = await raw.rows(
    `SELECT ${TABLES[table]}, ${sums} FROM ${table} ORDER BY ${TABLES[table]}`,
  );
  await raw.close();
  return rows;
}

async function everythingKept(): Promise<RawRow[][]> {
  return [
    await kept('vendor_sums'),
    await kept('affiliate_day_sums'),
    await kept('refund_cohorts'),
  ];
}

describe('The stored sums of reports', () => {
  it('match the ledger after any imports and changes', async () => {
    const runs = await holds(
      fc.asyncProperty(ledgers, async ({ calendar, first, second }) => {
        const ids = await newVendor();
        await service.import(linesOf(ids, calendar, first));
        await service.import(linesOf(ids, calendar, second));
        await service.import(linesOf(ids, calendar, second));
      }),
      { numRuns: LEDGERS },
    );
    expect(await differences()).toEqual([]);
    const [ofVendors = [], ofAffiliates = [], cohorts = []] = await everythingKept();
    expect(ofVendors.length).toBeGreaterThan(runs * 3);
    expect(ofAffiliates.length).toBeGreaterThan(runs);
    expect(cohorts.length).toBeGreaterThan(runs);
  });

  it('are the same from one calculation in SQL as from imports', async () => {
    const imported = await everythingKept();
    const raw = await openRaw(service.database.url);
    for (const table of Object.keys(TABLES)) await raw.run(`DELETE FROM ${table}`);
    await raw.close();
    await fillReportSums(service.database.url);
    expect(await everythingKept()).toEqual(imported);
    expect(await differences()).toEqual([]);
  });

  it('are the same from the migration that makes their tables again', async () => {
    const imported = await everythingKept();
    const raw = await openRaw(service.database.url);
    await raw.run("DELETE FROM migrations WHERE name = 'SumsOfParties1771200000000'");
    await raw.run('UPDATE vendor_sums SET taxes = taxes + 1');
    await raw.close();
    expect(await runCli(service.database.url, ['migrate'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('applied  SumsOfParties1771200000000'),
    });
    expect(await everythingKept()).toEqual(imported);
  });

  it('are exact to the cent beyond 2^53 cents', async () => {
    const ids = await newVendor();
    const sold = Array.from({ length: 40 }, (_, place) =>
      transaction(ids.transaction(place), ids.product(0), {
        amount: `9999999999999.${90 + (place % 3)}`,
      }),
    );
    await service.import(sold);
    const total = (await kept('vendor_sums')).find(
      ({ vendor_id, series }) => vendor_id === ids.vendor && series === 'total',
    );
    expect(total).toMatchObject({ kind: 'sale', transactions: '40', amount: '39999999999999639' });
  });

  it('have no row left if the last transaction of a day moves to another day', async () => {
    const ids = await newVendor();
    const moved = (sale_date: string) =>
      transaction(ids.transaction(0), ids.product(0), {
        sale_date,
        affiliate_id: ids.affiliate,
        status: 'refunded',
        refund: refund('2025-09-01T00:00:00Z'),
      });
    await service.import([moved('2025-06-01T12:00:00Z')]);
    await service.import([moved('2025-08-02T12:00:00Z')]);
    const ofVendor = (await everythingKept())
      .flat()
      .filter(({ vendor_id }) => vendor_id === ids.vendor);
    const days = ofVendor.flatMap(({ day }) => day ?? []);
    const months = ofVendor.flatMap(({ sale_month }) => sale_month ?? []);
    expect([...new Set(months)]).toEqual(['2025-08-01']);
    expect([...new Set(days)].sort()).toEqual(['2025-08-01', '2025-08-02', '2025-09-01']);
    expect(await differences()).toEqual([]);
  });
});
