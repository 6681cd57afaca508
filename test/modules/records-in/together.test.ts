import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Ended } from '../../support/processes/cli.js';
import { mixedLedger } from '../../support/builders/mixed-ledger.js';
import { bytesOf, summaryOf, TestLedger, type Dump } from '../../support/builders/test-ledger.js';

const LINES = 3_000;

let alone: TestLedger;
let together: TestLedger;
let results: readonly Ended[];

beforeAll(async () => {
  const lines = mixedLedger(LINES);
  // Both begin with the users and products, and the files overlap in their middle third.
  const head = lines.slice(0, 52);
  const first = bytesOf(lines.slice(0, 2_000));
  const second = bytesOf([...head, ...lines.slice(1_000)]);
  alone = await TestLedger.create();
  await alone.cli(['import', '-'], { input: first });
  await alone.cli(['import', '-'], { input: second });
  together = await TestLedger.create();
  const inputs = [first, second];
  results = await Promise.all(
    inputs.map((input) => together.cli(['import', '-', '--json'], { input })),
  );
  // A record that is repeated with changes has the state of its last writer, so each file is
  // imported last once.
  for (const input of inputs) await together.cli(['import', '-'], { input });
});
afterAll(async () => {
  await alone.drop();
  await together.drop();
});

/** Returns everything that does not depend on the order of the two imports. */
function orderless(dump: Dump) {
  const byId = new Map(
    dump.transactions?.map((row) => [
      row.transaction_id,
      { ...row, arrival: 0, sequence: 0, reasons: null },
    ]),
  );
  const { users, products, affiliations, daily_clicks, recurring_payments } = dump;
  const { sale_counts, refund_counts } = dump;
  const catalog = { users, products, affiliations, daily_clicks, recurring_payments };
  return { byId, ...catalog, sale_counts, refund_counts };
}

describe('Two imports of overlapping files at once', () => {
  it('both finish, and reject only bad lines', () => {
    for (const { status, stderr, ...rest } of results) {
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^(line \d+: (amount|product_id|(warning: )?transaction_id|warning: refund|is not valid).*\n)+(and \d+ more (problems|warnings)\n){0,2}$/,
      );
      expect(summaryOf({ status, stderr, ...rest }).user?.rejected).toBe(0);
    }
  });

  it('leave the same as one after the other', async () => {
    expect(orderless(await together.dump())).toEqual(orderless(await alone.dump()));
  });

  it('number the transactions of each vendor without a gap', async () => {
    const rows = await together.rows(
      'SELECT COUNT(DISTINCT arrival) AS sales, MAX(arrival) AS last FROM transactions GROUP BY vendor_id',
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { sales, last } of rows) expect(last).toBe(sales);
  });

  it('pass verify', async () => {
    expect(await together.cli(['verify'])).toMatchObject({ status: 0 });
  });
});
