/** `verify` compares every kept sum, each by itself, with a ledger made for it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { RECURRING_SUMS } from '../../../src/ledger/sums/recurring-sums.js';
import { AFFILIATE_SALES } from '../../../src/ledger/sums/affiliate-sales.js';
import { SUM_KINDS } from '../../../src/ledger/sums/kept-sums.model.js';
import { KEPT_SUMS } from '../../../src/ledger/sums/kept-sums.repository.js';
import { COHORT_SERIES, REFUND_COHORTS } from '../../../src/ledger/sums/refund-cohorts.js';
import {
  AFFILIATE_DAY_SUMS,
  SUM_SERIES,
  VENDOR_SUMS,
} from '../../../src/ledger/sums/report-sums.js';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import {
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';

const VENDOR = 10;
const AFFILIATE = 11;
const PRODUCT = 20;
const MONTH = '2025-01-01';
/** This day has one sale, and nothing else. */
const DAY = '2025-01-10';

let service: TestService;
let raw: RawConnection;

/** Imports a transaction for every kind of sums, each on a day of its own, and a subscription. */
beforeAll(async () => {
  service = await TestService.start();
  raw = await openRaw(service.database.url);
  const sold = (day: number, status: string, refund_date: string | null = null) =>
    transaction(`sold-${day}`, PRODUCT, {
      sale_date: `2025-01-${day}T12:00:00Z`,
      status,
      affiliate_id: AFFILIATE,
      ...(refund_date === null ? {} : { refund: refund(refund_date) }),
    });
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    product(PRODUCT, VENDOR),
    sold(10, 'completed'),
    sold(11, 'pending'),
    sold(12, 'refunded', '2025-02-03T12:00:00Z'),
    sold(13, 'refunded'),
    sold(14, 'charged_back', '2025-02-04T12:00:00Z'),
    sold(15, 'charged_back'),
    transaction('unpaid', PRODUCT, {
      sale_date: '2025-03-10T12:00:00Z',
      affiliate_id: AFFILIATE,
      affiliate_commission_status: 'UNPAID',
      payouts: {
        seller_earnings: '30.00',
        affiliate_payout: '10.00',
        agent_payout: '0.00',
        jv_payout: '0.00',
        service_fee: '7.00',
      },
    }),
    recurringPayment('PRE-1', PRODUCT),
  ]);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

function differences() {
  return service.app.get(VerificationService).differences();
}

describe('verify', () => {
  /**
   * Returns the differences that are reported while a table is changed, each with the amount by
   * which the kept sum is too large.
   */
  async function told(table: string, set: (by: string) => string, where: string) {
    const change = (by: string) => `UPDATE ${table} SET ${set(by)} WHERE ${where}`;
    await raw.run(change('+ 1'));
    const found = await differences();
    await raw.run(change('- 1'));
    return found.map(({ figure, kept: wrong, actual }) => [figure, wrong - actual]).sort();
  }

  it('finds nothing if every kind of sum matches the ledger', async () => {
    const kinds = await raw.rows("SELECT DISTINCT kind FROM vendor_sums WHERE series = 'product'");
    expect(kinds.map(({ kind }) => kind).sort()).toEqual([...SUM_KINDS].sort());
    expect(await differences()).toEqual([]);
  });

  it.each(SUM_SERIES.flatMap((series) => VENDOR_SUMS.sums.map((sum) => [sum, series] as const)))(
    'finds a wrong %s of the series %s, and in the sums made from it',
    async (sum, series) => {
      const line = (of: string, day: string, item_id: number, more: number) => [
        `${sum} of vendor's ${of}, kind, day ${VENDOR}, sale, ${day}, ${item_id}`,
        more,
      ];
      const expected = {
        product: [
          line('product', DAY, PRODUCT, 1),
          line('product in a month', MONTH, PRODUCT, -1),
          line('total', DAY, 0, -1),
        ],
        total: [line('total', DAY, 0, 1)],
        product_month: [line('product in a month', MONTH, PRODUCT, 1)],
        affiliate_month: [line('affiliate in a month', MONTH, AFFILIATE, 1)],
      };
      const day = series.endsWith('_month') ? MONTH : DAY;
      const where = `vendor_id = ${VENDOR} AND series = '${series}' AND kind = 'sale' AND day = '${day}'`;
      expect(await told('vendor_sums', (by) => `${sum} = ${sum} ${by}`, where)).toEqual(
        expected[series].sort(),
      );
    },
  );

  it.each(AFFILIATE_DAY_SUMS.sums)(
    "finds a wrong %s of an affiliate's day and month",
    async (sum) => {
      const where = `vendor_id = ${VENDOR} AND kind = 'sale' AND day = '${DAY}'`;
      const key = `${VENDOR}, sale, ${DAY}, ${AFFILIATE}, ${PRODUCT}`;
      const ofMonth = sum === 'commission' ? 'commissions' : sum;
      expect(await told('affiliate_day_sums', (by) => `${sum} = ${sum} ${by}`, where)).toEqual(
        [
          [`${sum} of vendor's affiliate, product, kind, day ${key}`, 1],
          [
            `${ofMonth} of vendor's affiliate in a month, kind, day ${VENDOR}, sale, ${MONTH}, ${AFFILIATE}`,
            -1,
          ],
        ].sort(),
      );
    },
  );

  it.each(AFFILIATE_SALES.sums)("finds a wrong %s of an affiliate's statistics", async (sum) => {
    const where = `affiliate_id = ${AFFILIATE}`;
    expect(await told('affiliate_sales', (by) => `${sum} = ${sum} ${by}`, where)).toEqual([
      [`${sum} of affiliate, product ${AFFILIATE}, ${PRODUCT}`, 1],
    ]);
  });

  it.each(
    COHORT_SERIES.flatMap((series) => REFUND_COHORTS.sums.map((sum) => [sum, series] as const)),
  )(
    'finds a wrong %s of the refund cohorts of the series %s, and in the total made from it',
    async (sum, series) => {
      const line = (of: string, item_id: number, more: number) => [
        `${sum} of vendor's refund cohort, item, sale month, refund month, kind ${VENDOR}, ${of}, ${item_id}, ${MONTH}, 2025-02-01, refund`,
        more,
      ];
      const expected = {
        total: [line('total', 0, 1)],
        product: [line('product', PRODUCT, 1), line('total', 0, -1)],
        affiliate: [line('affiliate', AFFILIATE, 1)],
      };
      const where = `vendor_id = ${VENDOR} AND series = '${series}' AND kind = 'refund'`;
      expect(await told('refund_cohorts', (by) => `${sum} = ${sum} ${by}`, where)).toEqual(
        expected[series].sort(),
      );
    },
  );

  it.each([
    ['vendor_sums', 'item_id', "series = 'product_month' AND vendor_id"],
    ['affiliate_day_sums', 'product_id', 'vendor_id'],
    ['affiliate_sales', 'product_id', 'affiliate_id'],
  ])('finds missing and superfluous rows of %s', async (table, column, owner) => {
    const where = `${owner} = ${owner === 'affiliate_id' ? AFFILIATE : VENDOR}`;
    const lines = await told(table, (by) => `${column} = ${column} ${by}`, where);
    const of = (which: number) => lines.filter(([line]) => String(line).endsWith(`${which}`));
    const [gone, added] = [of(PRODUCT), of(PRODUCT + 1)];
    expect(gone.length).toBeGreaterThan(0);
    expect(gone.map(([, more]) => -Number(more))).toEqual(added.map(([, more]) => more));
    expect(gone.length + added.length).toBe(lines.length);
  });

  it.each([
    ["another vendor's", 'vendor_id'],
    ['none that there is', 'id'],
  ])('finds transactions whose product is %s', async (_, column) => {
    const [name, product_id] = column === 'id' ? ['To vanish', 30] : ['To change hands', 40];
    await service.import([
      product(product_id, VENDOR, { name }),
      transaction(`of-${product_id}`, product_id),
    ]);
    expect(
      await told('products', (by) => `${column} = ${column} ${by}`, `name = '${name}'`),
    ).toEqual([
      [`changes of kind product of vendor ${column === 'id' ? VENDOR : VENDOR + 1}`, -1],
      [`transactions of a product that is not the vendor's of vendor ${VENDOR}`, 1],
    ]);
  });
});

it('backfill computes the rows again that imports have saved', async () => {
  const { dialect } = service.app.get(Database);
  const tables = [...KEPT_SUMS, RECURRING_SUMS];
  const rowsOf = ({ table, key }: (typeof tables)[number]) =>
    raw.rows(`SELECT * FROM ${table} ORDER BY ${key.join(', ')}`);
  const saved = await Promise.all(tables.map(rowsOf));
  for (const { table } of tables) await raw.run(`DELETE FROM ${table}`);
  for (const kept of tables) {
    for (const statement of kept.backfill(dialect)) await raw.run(statement);
  }
  expect(await Promise.all(tables.map(rowsOf))).toEqual(saved);
  expect(saved.map((rows) => rows.length > 0)).toEqual(tables.map(() => true));
});
