/** The kept sums of unpaid commissions equal the ledger, whatever sequence of changes led to it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import {
  affiliateRecordOf,
  affiliateSale,
  affiliatesOf,
  type AffiliateSale,
} from '../../support/random/affiliate-ledgers.js';
import { holds } from '../../support/random/properties.js';
import { CALENDARS, lineOf, VendorIds } from '../../support/random/random-ledgers.js';
import { fillUnpaidCommissions } from '../../support/sql/report-sums.js';
import { openRaw, type RawConnection, type RawRow } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';

const LEDGERS = 40;
const ledgers = fc.record({
  calendar: fc.constantFrom(...CALENDARS),
  first: fc.array(affiliateSale, { minLength: 1, maxLength: 12 }),
  second: fc.array(affiliateSale, { maxLength: 12 }),
});

const PAYOUTS = {
  seller_earnings: '20.00',
  affiliate_payout: '20.00',
  agent_payout: '0.00',
  jv_payout: '0.00',
  service_fee: '7.00',
};

let service: TestService;
let raw: RawConnection;
let vendors = 0;
beforeAll(async () => {
  service = await TestService.start();
  raw = await openRaw(service.database.url);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

async function newVendor(): Promise<VendorIds> {
  vendors += 1;
  const ids = new VendorIds(vendors);
  await service.import([
    user(ids.vendor),
    ...affiliatesOf(ids).map((id) => user(id)),
    product(ids.product(0), ids.vendor),
    product(ids.product(1), ids.vendor),
  ]);
  return ids;
}

function linesOf(ids: VendorIds, calendar: readonly string[], sales: readonly AffiliateSale[]) {
  return sales.map((sold, place) => lineOf(affiliateRecordOf(ids, place, calendar, sold)));
}

function differences() {
  return service.app.get(VerificationService).differences();
}

function kept(where = '1 = 1'): Promise<RawRow[]> {
  const key = 'vendor_id, series, day, affiliate_id';
  return raw.rows(`SELECT ${key}, CAST(sales AS CHAR) AS sales, CAST(commission AS CHAR) AS commission
    FROM unpaid_commissions WHERE ${where} ORDER BY ${key}`);
}

describe('The stored unpaid commissions', () => {
  it('match the ledger after any imports and changes', async () => {
    const runs = await holds(
      fc.asyncProperty(ledgers, async ({ calendar, first, second }) => {
        const ids = await newVendor();
        await service.import(linesOf(ids, calendar, first));
        await service.import(linesOf(ids, calendar, second));
      }),
      { numRuns: LEDGERS },
    );
    expect(await differences()).toEqual([]);
    expect((await kept()).length).toBeGreaterThan(runs);
  });

  it('are the same from one calculation in SQL as from imports', async () => {
    const imported = await kept();
    await fillUnpaidCommissions(service.database.url);
    expect(await kept()).toEqual(imported);
    expect(await differences()).toEqual([]);
  });

  it('count what refunds took back, and have no row left once it is paid', async () => {
    const ids = await newVendor();
    const sold = (more: object) =>
      transaction(ids.transaction(0), ids.product(0), {
        affiliate_id: ids.affiliate,
        payouts: PAYOUTS,
        ...more,
      });
    const rows = () => kept(`vendor_id = ${ids.vendor}`);
    const row = { vendor_id: ids.vendor, affiliate_id: ids.affiliate, sales: '1' };
    await service.import([sold({})]);
    expect(await rows()).toEqual([
      { ...row, series: 'day', day: '2025-06-01', commission: '2000' },
      { ...row, series: 'total', day: '1970-01-01', commission: '2000' },
    ]);
    const back = { ...refund('2025-07-01T00:00:00Z'), affiliate_refund_impact: '-15.50' };
    await service.import([sold({ status: 'refunded', refund: back })]);
    expect((await rows()).map(({ commission }) => commission)).toEqual(['450', '450']);
    await service.import([sold({ affiliate_commission_status: 'PAID' })]);
    expect(await rows()).toEqual([]);
    await service.import([sold({ status: 'pending' })]);
    expect(await rows()).toEqual([]);
  });

  it.each(['sales', 'commission'])('are compared by verify: a wrong %s is found', async (sum) => {
    const ids = await newVendor();
    await service.import([
      transaction(ids.transaction(0), ids.product(0), {
        affiliate_id: ids.affiliate,
        payouts: PAYOUTS,
      }),
    ]);
    for (const series of ['day', 'total']) {
      const where = `vendor_id = ${ids.vendor} AND series = '${series}'`;
      await raw.run(`UPDATE unpaid_commissions SET ${sum} = ${sum} + 1 WHERE ${where}`);
      const found = (await differences()).map(({ figure }) => figure);
      expect(found).toContainEqual(
        expect.stringMatching(`${sum} of unpaid ${series}, vendor, day`),
      );
      await raw.run(`UPDATE unpaid_commissions SET ${sum} = ${sum} - 1 WHERE ${where}`);
    }
    await raw.run(`DELETE FROM unpaid_commissions WHERE vendor_id = ${ids.vendor}`);
    expect(await differences()).not.toEqual([]);
    await fillUnpaidCommissions(service.database.url);
    expect(await differences()).toEqual([]);
  });
});
