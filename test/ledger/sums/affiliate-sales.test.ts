import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  LedgerIds,
  recordsOf,
  statisticsOf,
  steps,
  type Step,
} from '../../support/oracles/affiliate-oracle.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { holds } from '../../support/random/properties.js';
import { openRaw, type RawRow } from '../../support/sql/raw-connection.js';
import { fillAffiliateSales } from '../../support/sql/report-sums.js';
import { TestService } from '../../support/servers/service.js';

const LEDGERS = 200;
const SIDES = [0, 1] as const;
const SUMS = [
  'sales',
  'refunds',
  'chargebacks',
  'revenue',
  'refund_amount',
  'commission_earned',
  'commission_paid',
  'commission_unpaid',
];
let service: TestService;
let ledgers = 0;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Creates a vendor with two products and two affiliates. */
async function newLedger(): Promise<{ ids: LedgerIds; key: string }> {
  ledgers += 1;
  const ids = new LedgerIds(ledgers);
  await service.import([
    user(ids.vendor),
    ...SIDES.map((side) => user(ids.affiliate(side))),
    ...SIDES.map((side) => product(ids.product(side), ids.vendor)),
  ]);
  return { ids, key: await service.key(ids.vendor) };
}

async function expectStatistics(ids: LedgerIds, key: string, all: readonly Step[]): Promise<void> {
  for (const affiliate of SIDES) {
    for (const which of SIDES) {
      const path = `/v2.1/affiliatestats/${ids.affiliate(affiliate)}/products/${ids.product(which)}`;
      const { results } = await service.envelope(path, key);
      expect(results).toEqual([statisticsOf(ids, all, affiliate, which)]);
    }
  }
}

/** Returns the kept sums, without pairs whose sums are all zero. */
async function keptSums(): Promise<RawRow[]> {
  const raw = await openRaw(service.database.url);
  const texts = SUMS.map((sum) => `CAST(${sum} AS CHAR) AS ${sum}`).join(', ');
  const rows = await raw.rows(`SELECT affiliate_id, product_id, ${texts} FROM affiliate_sales
    ORDER BY affiliate_id, product_id`);
  await raw.close();
  return rows;
}

describe('The statistics of an affiliate', () => {
  it('match the ledger after any imports and changes', async () => {
    await holds(
      fc.asyncProperty(steps, async (all) => {
        const { ids, key } = await newLedger();
        for (const [at, step] of all.entries()) {
          await service.import(recordsOf(ids, step));
          if (at === 0) await expectStatistics(ids, key, all.slice(0, 1));
        }
        await expectStatistics(ids, key, all);
      }),
      { numRuns: LEDGERS },
    );
  });

  it('do not change when the same file is imported again', async () => {
    const [all = []] = fc.sample(steps, { numRuns: 1, seed: 7 });
    const { ids, key } = await newLedger();
    const records = all.flatMap((step) => recordsOf(ids, step));
    for (let times = 0; times < 3; times += 1) await service.import(records);
    await expectStatistics(ids, key, all);
  });

  it('are exact to the cent beyond 2^53 cents', async () => {
    const { ids, key } = await newLedger();
    const sales = Array.from({ length: 40 }, (_, place) => ({
      place,
      affiliate: 0 as const,
      product: 0 as const,
      day: 1 as const,
      status: 'completed' as const,
      commissionStatus: place % 2 === 0 ? 'PAID' : 'UNPAID',
      amount: 999_999_999_999_999n - BigInt(place % 3),
      commission: 999_999_999_999_990n + BigInt(place % 5),
      refunded: place % 4 === 0 ? ([999_999_999_999_997n, 3n] as const) : null,
    }));
    const all = [
      { sales, clicks: [{ affiliate: 0, product: 0, day: 1, clicks: 3, unique: 1 }] },
    ] satisfies Step[];
    await service.import(all.flatMap((step) => recordsOf(ids, step)));
    const statistics = statisticsOf(ids, all, 0, 0);
    expect(BigInt(String(statistics?.revenue).replace('.', ''))).toBeGreaterThan(4n * 2n ** 53n);
    await expectStatistics(ids, key, all);
    const undone = { sales: sales.map((sale) => ({ ...sale, affiliate: 1 as const })), clicks: [] };
    await service.import(recordsOf(ids, undone));
    await expectStatistics(ids, key, [...all, undone]);
  });

  it('are the same from one calculation in SQL as from imports', async () => {
    const imported = await keptSums();
    expect(imported.length).toBeGreaterThan(ledgers);
    await fillAffiliateSales(service.database.url);
    expect(await keptSums()).toEqual(imported);
  });

  it('are continued by the next import', async () => {
    const [all = []] = fc.sample(steps, { numRuns: 1, seed: 11 });
    const { ids, key } = await newLedger();
    for (const step of all) {
      await service.import(recordsOf(ids, step));
      await fillAffiliateSales(service.database.url);
    }
    await expectStatistics(ids, key, all);
  });
});
