import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

const ALL_WELL = { status: 0, stdout: 'All derived data matches the ledger.\n', stderr: '' };

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
  const refunded = { status: 'refunded', refund: refund('2025-06-03T00:00:00Z') };
  await ledger.mustImport([
    user(1),
    user(2),
    product(10, 1),
    product(20, 2),
    transaction('A', 10),
    transaction('B', 10, refunded),
    transaction('C', 10, refunded),
    transaction('D', 10, { sale_date: '2025-06-02T23:59:59Z' }),
    transaction('E', 20),
  ]);
});
afterAll(() => ledger.drop());

describe('verify', () => {
  it('exits with 0 on a correct ledger', async () => {
    expect(await ledger.cli(['verify'])).toEqual(ALL_WELL);
  });

  it('exits with 0 on an empty ledger', async () => {
    const empty = await TestLedger.create();
    expect(await empty.cli(['verify'])).toEqual(ALL_WELL);
    await empty.drop();
  });

  /**
   * The name of each tampering, its statement, the statement that undoes it, and each reported
   * difference.
   */
  const TAMPERINGS: readonly (readonly [string, string, string, readonly RegExp[]])[] = [
    [
      'a changed sale count',
      "UPDATE sale_counts SET sales = 4 WHERE vendor_id = 1 AND sale_day = '2025-06-01'",
      "UPDATE sale_counts SET sales = 3 WHERE vendor_id = 1 AND sale_day = '2025-06-01'",
      [/sale.* 1, 2025-06-01: kept 4, actual 3$/],
    ],
    [
      'a removed sale count',
      "DELETE FROM sale_counts WHERE vendor_id = 1 AND sale_day = '2025-06-02'",
      "INSERT INTO sale_counts (vendor_id, sale_day, sales) VALUES (1, '2025-06-02', 1)",
      [/sale.* 1, 2025-06-02: kept 0, actual 1$/],
    ],
    [
      'an added sale count',
      "INSERT INTO sale_counts (vendor_id, sale_day, sales) VALUES (2, '2025-06-02', 7)",
      "DELETE FROM sale_counts WHERE vendor_id = 2 AND sale_day = '2025-06-02'",
      [/sale.* 2, 2025-06-02: kept 7, actual 0$/],
    ],
    [
      'a changed refund count',
      'UPDATE refund_counts SET refunds = 1',
      'UPDATE refund_counts SET refunds = 2',
      [/refund.* 1, 2025-06-03, 2025-06-01: kept 1, actual 2$/],
    ],
    [
      'a refund count of another sale day',
      "UPDATE refund_counts SET sale_day = '2025-06-02'",
      "UPDATE refund_counts SET sale_day = '2025-06-01'",
      [/2025-06-03, 2025-06-01: kept 0, actual 2$/, /2025-06-03, 2025-06-02: kept 2, actual 0$/],
    ],
    [
      'a refund that came later than is kept of any',
      'UPDATE ledger_revisions SET longest_refund_days = 1 WHERE vendor_id = 1',
      'UPDATE ledger_revisions SET longest_refund_days = 2 WHERE vendor_id = 1',
      [/longest_refund_days .* 1, 2025-06-03, 2025-06-01: kept 0, actual 2$/],
    ],
    [
      'a changed last arrival',
      'UPDATE ledger_revisions SET last_arrival = 9 WHERE vendor_id = 1',
      'UPDATE ledger_revisions SET last_arrival = 4 WHERE vendor_id = 1',
      [/arrival.* 1: kept 9, actual 4$/],
    ],
    [
      'a last sequence that is too low',
      'UPDATE ledger_revisions SET last_sequence = 1 WHERE vendor_id = 2',
      'UPDATE ledger_revisions SET last_sequence = 2 WHERE vendor_id = 2',
      [/last_sequence of vendor 2: kept 1, actual 2$/],
    ],
    [
      'two changes with one sequence',
      "UPDATE changed_records SET sequence = 2 WHERE vendor_id = 2 AND kind = 'product'",
      "UPDATE changed_records SET sequence = 1 WHERE vendor_id = 2 AND kind = 'product'",
      [/different sequences of vendor 2: kept 1, actual 2$/],
    ],
    [
      'a product that is not in the feed of changes',
      "UPDATE changed_records SET record_key = '21' WHERE vendor_id = 2 AND kind = 'product'",
      "UPDATE changed_records SET record_key = '20' WHERE vendor_id = 2 AND kind = 'product'",
      [/changes of kind product of vendor 2: kept 0, actual 1$/],
    ],
    [
      'a removed ledger revision',
      'DELETE FROM ledger_revisions WHERE vendor_id = 2',
      'INSERT INTO ledger_revisions (vendor_id, revision, last_arrival, last_sequence) VALUES (2, 1, 1, 2)',
      [/revisions.* 2: kept 0, actual 1$/, /arrival.* 2: kept 0, actual 1$/],
    ],
    [
      'a refunded sale date that is gone',
      "UPDATE transactions SET refunded_sale_date = NULL WHERE transaction_id = 'B'",
      "UPDATE transactions SET refunded_sale_date = sale_date WHERE transaction_id = 'B'",
      [/refunded_sale_date .* 1: kept 1, actual 0$/],
    ],
    [
      'a refunded sale date that is not the sale date',
      "UPDATE transactions SET refunded_sale_date = '2025-06-01 12:00:01' WHERE transaction_id = 'C'",
      "UPDATE transactions SET refunded_sale_date = sale_date WHERE transaction_id = 'C'",
      [/refunded_sale_date .* 1: kept 1, actual 0$/],
    ],
    [
      'a refunded sale date of a sale that was not refunded',
      "UPDATE transactions SET refunded_sale_date = sale_date WHERE transaction_id = 'A'",
      "UPDATE transactions SET refunded_sale_date = NULL WHERE transaction_id = 'A'",
      [/refunded_sale_date .* 1: kept 1, actual 0$/],
    ],
  ];

  it.each(TAMPERINGS)('finds %s, reports it, and exits with 1', async (...tampering) => {
    const [, tamper, undo, differences] = tampering;
    await ledger.run(tamper);
    const { status, stdout } = await ledger.cli(['verify']);
    await ledger.run(undo);
    expect(status).toBe(1);
    const told = stdout.trimEnd().split('\n');
    expect(told).toHaveLength(differences.length);
    // The database chooses their order.
    for (const difference of differences) {
      expect(told.filter((line) => difference.test(line))).toHaveLength(1);
    }
  });

  it('finds nothing after the tampering is undone', async () => {
    expect(await ledger.cli(['verify'])).toEqual(ALL_WELL);
  });
});
