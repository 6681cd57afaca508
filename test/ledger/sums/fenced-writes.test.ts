import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { readTransaction } from '../../../src/ledger/records/transaction.record.js';
import { RecordFields } from '../../../src/ledger/records/record-fields.js';
import { TransactionWritesService } from '../../../src/ledger/writes/transaction-writes.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, OTHER_VENDOR, AFFILIATE] = [1, 2, 100];

let service: TestService;
let raw: RawConnection;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(OTHER_VENDOR),
    user(AFFILIATE),
    product(10, VENDOR),
    product(11, VENDOR),
    product(20, OTHER_VENDOR),
    transaction('first', 10, { affiliate_id: AFFILIATE }),
  ]);
  raw = await openRaw(service.database.url);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

async function revisionOf(user_id: number): Promise<number> {
  const [row] = await raw.rows(
    `SELECT revision FROM ledger_revisions WHERE vendor_id = ${user_id}`,
  );
  return Number(row?.revision ?? 0);
}

describe('a ledger that another node changes between read and write', () => {
  it('is read and written once more, so that no change is lost', async () => {
    const before = await revisionOf(VENDOR);
    const writes = service.app.get(TransactionWritesService);
    const after = readTransaction(new RecordFields(transaction('fenced', 10)));
    const found: unknown[] = [];
    await service.app.get(Database).write(async (session) => {
      const ledgers = await writes.lock(session, [VENDOR], []);
      found.push(ledgers.get(VENDOR)?.revision);
      // Another node has written the row, which a lock on this node does not prevent.
      if (found.length === 1) {
        const raise = 'UPDATE ledger_revisions SET revision = revision + 1 WHERE vendor_id = ?';
        await session.run(raise, [VENDOR]);
      }
      const content = { after, vendor_id: VENDOR, record_version: null };
      const isNew = { before: undefined, place: null, sequence_before: null, reasons_before: null };
      const change = { ...isNew, ...content };
      await writes.save(session, ledgers, [change]);
    });
    expect(found).toEqual([before, before]);
    expect(await revisionOf(VENDOR)).toBe(before + 1);
    const counts = await raw.rows('SELECT sales FROM sale_counts');
    expect(counts).toEqual([{ sales: 2 }]);
  });
});

describe('the row that a rename of an affiliate shares with its sales', () => {
  it.each([
    ['the first sale of a product', transaction('a', 11, { affiliate_id: AFFILIATE }), 1],
    ['a further sale of it', transaction('b', 11, { affiliate_id: AFFILIATE }), 0],
    ['a first sale for another vendor', transaction('c', 20, { affiliate_id: AFFILIATE }), 1],
    ['a sale without the affiliate', transaction('d', 20), 0],
    ['another sale of the first product', transaction('e', 10, { affiliate_id: AFFILIATE }), 0],
    ['a rename', user(AFFILIATE, { display_name: 'New' }), 1],
  ])('is written by %s as often as it must', async (_, record, times) => {
    const before = await revisionOf(AFFILIATE);
    await service.import([record]);
    expect(await revisionOf(AFFILIATE)).toBe(before + times);
  });
});

describe('arrivals', () => {
  it('are counted for each vendor', async () => {
    const rows = await raw.rows(
      `SELECT vendor_id, last_arrival FROM ledger_revisions WHERE vendor_id <> ${AFFILIATE} ORDER BY vendor_id`,
    );
    expect(rows).toEqual([
      { vendor_id: VENDOR, last_arrival: 5 },
      { vendor_id: OTHER_VENDOR, last_arrival: 2 },
    ]);
  });
});
