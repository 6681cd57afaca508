import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TRACKING_FIELDS } from '../../../src/ledger/columns.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, OTHER, AFFILIATE] = [1, 2, 3];
const LIST = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30';
const ODD_NAME = 'Zoë "the \\ best", "display_name":null';
/** Together, these texts are longer than a row can store. */
const LONG = Object.fromEntries(TRACKING_FIELDS.map((field) => [field, '🦊'.repeat(2_048)]));
const IDS = ['plain', 'sold-by-an-affiliate', 'refunded', 'long'];

let ledger: TestLedger;
let service: TestService;
let key: string;

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([
    user(VENDOR),
    user(OTHER),
    user(AFFILIATE, { display_name: ODD_NAME }),
    product(10, VENDOR),
    product(20, OTHER),
    transaction('plain', 10, { product_name: 'Ünïcode, "display_name":null' }),
    transaction('sold-by-an-affiliate', 10, { affiliate_id: AFFILIATE }),
    transaction('refunded', 10, {
      affiliate_id: AFFILIATE,
      refund: refund('2025-06-02T00:00:00Z'),
    }),
    transaction('long', 10, {
      affiliate_id: AFFILIATE,
      tracking: LONG,
    }),
    transaction('other', 20),
  ]);
  // Caching is off, so that each answer shows the stored data.
  service = await TestService.on(ledger.database, { PAGE_CACHE_MB: '0' });
  key = await service.key(VENDOR);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/** Returns the exact answers for the list and each single transaction. */
async function answers(): Promise<string[]> {
  const paths = [LIST, `${LIST}&page_size=2&page_index=1`];
  paths.push(...IDS.map((id) => `/v3.0/transactions/${id}`));
  return Promise.all(
    paths.map(async (path) => {
      const { status, text } = await service.get(path, key);
      expect([path, status]).toEqual([path, 200]);
      return text;
    }),
  );
}

async function namesInList(): Promise<unknown[]> {
  const { text } = await service.get(LIST, key);
  const { results } = JSON.parse(text) as { results: { affiliate: { display_name: string } }[] };
  return results.map(({ affiliate }) => (affiliate as typeof affiliate | null)?.display_name);
}

async function countStored(): Promise<unknown> {
  const [row] = await ledger.rows(
    'SELECT COUNT(rendered) AS stored, COUNT(*) AS all_rows FROM transactions',
  );
  return row;
}

/** Returns the stored JSON of each transaction, as an SQL literal. */
async function storedJson(): Promise<[string, string][]> {
  const rows = await ledger.rows('SELECT transaction_id, HEX(rendered) AS bytes FROM transactions');
  return rows.map(({ transaction_id, bytes }) => [
    String(transaction_id),
    bytes === null || bytes === '' ? 'NULL' : `x'${String(bytes)}'`,
  ]);
}

/** Returns the hexadecimal digits from `from` on, with one bit changed just before `to`. */
function flipped(bytes: string, from: number, to: number): string {
  const last = (parseInt(bytes[to - 1] ?? '', 16) ^ 1).toString(16).toUpperCase();
  return bytes.slice(from, to - 1) + last + bytes.slice(to);
}

describe('The stored JSON of transactions', () => {
  it.each([
    ['is missing', 'NULL'],
    ['is of an older form', "x'00'"],
    ['is of the form before', "x'01000000007B7D'"],
    ['is of a newer form', "x'FF00000000'"],
  ])('changes no byte of an answer if it %s', async (_what, stored) => {
    const before = await answers();
    const kept = await storedJson();
    await ledger.run(`UPDATE transactions SET rendered = ${stored} WHERE transaction_id = 'plain'`);
    expect(await answers()).toEqual(before);
    await ledger.run(`UPDATE transactions SET rendered = ${stored}`);
    expect(await answers()).toEqual(before);
    for (const [id, bytes] of kept) {
      await ledger.run(
        `UPDATE transactions SET rendered = ${bytes} WHERE transaction_id = '${id}'`,
      );
    }
    expect(await answers()).toEqual(before);
  });

  it('is left out if it would be longer than the column', async () => {
    expect(await countStored()).toEqual({ stored: 4, all_rows: 5 });
  });

  it('gets the present name of the affiliate', async () => {
    expect(await namesInList()).toEqual([ODD_NAME, ODD_NAME, ODD_NAME, undefined]);
    await ledger.mustImport([user(AFFILIATE, { display_name: 'new “name”' })]);
    expect(await namesInList()).toEqual(['new “name”', 'new “name”', 'new “name”', undefined]);
    await ledger.mustImport([user(AFFILIATE, { display_name: null })]);
    expect(await namesInList()).toEqual([null, null, null, undefined]);
    await ledger.mustImport([user(AFFILIATE, { display_name: ODD_NAME })]);
  });

  it('is compared by verify, byte by byte', async () => {
    const [row] = await ledger.rows(
      "SELECT HEX(rendered) AS bytes FROM transactions WHERE transaction_id = 'refunded'",
    );
    const bytes = String(row?.bytes);
    // The changed bytes are the end, the position of the affiliate's name, and the sale date.
    const [name, saleDate] = [[2, 10] as const, [10, 22] as const];
    for (const wrong of [
      `${bytes}20`,
      bytes.replace(/7D$/, '7C'),
      ...[name, saleDate].map(([from, to]) => bytes.slice(0, from) + flipped(bytes, from, to)),
    ]) {
      const set = (hex: string) =>
        ledger.run(
          `UPDATE transactions SET rendered = x'${hex}' WHERE transaction_id = 'refunded'`,
        );
      await set(wrong);
      expect(await ledger.cli(['verify'])).toMatchObject({
        status: 1,
        stdout: `transactions with wrong rendered bytes of vendor ${VENDOR}: kept 1, actual 0\n`,
      });
      await set(bytes);
    }
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });
});
