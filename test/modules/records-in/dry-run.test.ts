/**
 * A dry run reports what a real run of the same file on the same database would do, and blocks
 * nobody.
 */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { holds } from '../../support/random/properties.js';
import { runImport, source } from '../../support/servers/import-run.js';
import { TestService } from '../../support/servers/service.js';
import { BATCH_LINES, bytesOf, TestLedger, type Line } from '../../support/builders/test-ledger.js';

const [VENDOR, OTHER_VENDOR, AFFILIATE] = [1, 2, 3];
const RUNS = 6;

let service: TestService;
let ledger: TestLedger;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(VENDOR), user(OTHER_VENDOR), user(AFFILIATE), product(10, VENDOR)]);
  await service.import([affiliation(AFFILIATE, 10), recurringPayment('P-1', 10)]);
  key = await service.key(VENDOR);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/** Runs an import, and returns its report on each line and its totals. */
const run = (bytes: AsyncIterable<Buffer>, dryRun: boolean) => runImport(service, bytes, dryRun);

/** There are few identities, so that lines meet each other, and some that do not exist. */
const userId = fc.constantFrom(1, 2, 3, 4, 5);
const productId = fc.constantFrom(10, 11, 12, 13);
const preKey = fc.constantFrom('P-1', 'P-2', 'p-2', 'P-2 ');
const saleId = fc.constantFrom('T-1', 't-1', 'T-2', 'T-3', 'T-4');
const words = fc.constantFrom('a', 'b', 'Zoë 🙂 \u0080"\\');
const record: fc.Arbitrary<object> = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(userId, words).map(([id, name]) => user(id, { name })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(productId, userId, words)
      .map(([id, vendor_id, name]) => product(id, vendor_id, { name })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(userId, productId, fc.constantFrom('REQUESTED', 'APPROVED'), words)
      .map(([affiliate, of, status, comments]) => affiliation(affiliate, of, { status, comments })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(preKey, productId, fc.constantFrom('ACTIVE', 'COMPLETED'))
      .map(([pre_key, of, status]) => recurringPayment(pre_key, of, { status })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(saleId, productId, words, fc.option(userId), fc.option(preKey), fc.nat({ max: 2 }))
      .map(([id, of, product_name, affiliate_id, pre_key, items]) =>
        transaction(id, of, {
          product_name,
          affiliate_id,
          pre_key,
          payout_items: Array.from({ length: items }, () => payoutItem(1)),
        }),
      ),
  },
  fc
    .tuple(userId, productId, fc.nat({ max: 1 }))
    .map(([affiliate, of, count]) => clicks(affiliate, of, { clicks: count })),
  fc.constant(user(0)),
);
/**
 * Some records have a version, so that some are stale, and some have the version of another record.
 */
const versioned = fc
  .tuple(record, fc.option(fc.nat({ max: 3 })))
  .map(([fields, record_version]) => ({ ...fields, record_version }));
/** Each part is a batch of its own. */
const file = fc.array(fc.array(versioned, { minLength: 5, maxLength: 30 }), {
  minLength: 3,
  maxLength: 3,
});

function linesOf(batches: readonly (readonly object[])[]): Line[] {
  const filling = JSON.stringify(user(AFFILIATE));
  return batches.flatMap((records) => [
    ...records,
    ...Array.from({ length: BATCH_LINES - records.length }, () => filling),
  ]);
}

describe('A dry run', () => {
  it('reports for each line what the real run does, and changes nothing', async () => {
    await holds(
      fc.asyncProperty(file, async (batches) => {
        // The vendor's value stays, and the import reports every record that differs.
        const terms = { approval_status: 'DENIED' };
        await service.put(`/v2.1/affiliates/${AFFILIATE}/products/10`, key, terms);
        const before = await ledger.dump();
        const tried = await run(source(linesOf(batches)), true);
        expect(await ledger.dump()).toEqual(before);
        expect(await run(source(linesOf(batches)), false)).toEqual(tried);
      }),
      { numRuns: RUNS },
    );
  });

  it('knows the vendor of a transaction, whichever batch would have stored it', async () => {
    const none: object[] = [];
    const lines = linesOf([
      [
        user(50),
        user(51),
        product(500, 50),
        product(510, 51),
        transaction('moves', 500),
        product(501, 50),
        product(502, 50),
        transaction('leaves', 501),
        transaction('stays', 501),
      ],
      none,
      [product(500, 51), transaction('moves', 510), transaction('moves', 510)],
      // This batch does not contain the previous product of these transactions, nor its vendor.
      [transaction('leaves', 510), transaction('stays', 502)],
    ]);
    const tried = await run(source(lines), true);
    expect(tried.told).toHaveLength(5);
    expect(tried.told.at(-1)).toContain(
      'warning: transaction_id: was stored with another product_id',
    );
    expect(tried.summary.transaction).toMatchObject({ inserted: 3, updated: 1, rejected: 3 });
    expect(await run(source(lines), false)).toEqual(tried);
  });

  it('blocks no other writer', async () => {
    let release = (): void => undefined;
    let tell = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const isUnderWay = new Promise<void>((resolve) => (tell = resolve));
    async function* slow(): AsyncGenerator<Buffer> {
      const sales = Array.from({ length: BATCH_LINES }, (_, at) => transaction(`S-${at}`, 10));
      yield bytesOf([affiliation(AFFILIATE, 10), recurringPayment('P-1', 10), ...sales]);
      yield bytesOf(sales);
      await othersFirst();
      tell();
      await gate;
    }
    const trying = run(slow(), true);
    await isUnderWay;
    await service.import([transaction('meanwhile', 10), affiliation(AFFILIATE, 10)]);
    release();
    expect((await trying).summary.transaction.inserted).toBe(BATCH_LINES);
  }, 30_000);
});
