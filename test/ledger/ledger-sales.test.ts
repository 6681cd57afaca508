/** Extensions read sales, and lock them, without knowing the tables of the ledger. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import { LedgerSales } from '../../src/ledger/reads/ledger-sales.repository.js';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import { TestService } from '../support/servers/service.js';

const [VENDOR, OTHER, EMPTY] = [1, 2, 3] as const;

let service: TestService;
let sales: LedgerSales;
let database: Database;
beforeAll(async () => {
  service = await TestService.start();
  sales = service.app.get(LedgerSales);
  database = service.app.get(Database);
  await service.import([
    user(VENDOR),
    user(OTHER),
    user(EMPTY),
    product(10, VENDOR),
    product(20, OTHER),
    transaction('LATER', 10, { sale_date: '2025-06-02T00:00:00Z' }),
    transaction('FIRST', 10, { sale_date: '2025-06-01T18:03:11Z' }),
    transaction('OF-OTHER', 20),
  ]);
});
afterAll(() => service.stop());

describe('LedgerSales', () => {
  it('reads a sale of the vendor, without personal data', async () => {
    expect(await sales.ownSale(VENDOR, 'FIRST')).toEqual({
      vendor_id: VENDOR,
      transaction_id: 'FIRST',
      product_id: 10,
      product_name: expect.any(String),
      sale_date: '2025-06-01 18:03:11',
      status: 'completed',
      amount: expect.any(Number),
      seller_earnings: expect.any(Number),
      affiliate_id: null,
      pre_key: null,
    });
  });

  it('reads some sales in the order of their dates, and skips all others', async () => {
    const ids = ['LATER', 'OF-OTHER', 'first', 'FIRST', 'FIRST', '', '\u0000', "' OR 1=1 --"];
    const found = await sales.salesOf(VENDOR, ids);
    expect(found.map(({ transaction_id }) => transaction_id)).toEqual(['FIRST', 'LATER']);
    await expect(sales.salesOf(VENDOR, Array<string>(1_001).fill('A'))).rejects.toThrow(RangeError);
  });

  it.each(['OF-OTHER', 'first', 'NONE', '', 'a'.repeat(300)])(
    'does not know the sale %j of another vendor, or of none',
    async (id) => {
      const locked = database.write((session) => sales.lockOwnSale(session, VENDOR, id));
      for (const asked of [sales.ownSale(VENDOR, id), locked]) {
        await expect(asked).rejects.toMatchObject({ failure: 'not_found' });
      }
    },
  );

  it('creates no ledger for a vendor whose sale it cannot lock', async () => {
    const locked = database.write((session) => sales.lockOwnSale(session, EMPTY, 'FIRST'));
    await expect(locked).rejects.toMatchObject({ failure: 'not_found' });
    const sql = 'SELECT vendor_id FROM ledger_revisions WHERE vendor_id = ?';
    expect(await database.select(sql, [EMPTY])).toEqual([]);
  });

  it('sees what its session has written', async () => {
    await database.write(async (session) => {
      const sql = 'UPDATE transactions SET amount = 1 WHERE vendor_id = ? AND transaction_id = ?';
      await session.run(sql, [VENDOR, 'LATER']);
      expect(await sales.lockOwnSale(session, VENDOR, 'LATER')).toMatchObject({ amount: 1 });
    });
  });
});
