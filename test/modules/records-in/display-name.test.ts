import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../../support/processes/cli.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';
import { bytesOf } from '../../support/builders/test-ledger.js';

const VENDOR = 1;
const OTHER_VENDOR = 2;
const AFFILIATE = 5;
let service: TestService;
let raw: RawConnection;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(OTHER_VENDOR),
    user(AFFILIATE, { display_name: 'Old name' }),
    product(10, VENDOR),
    product(20, OTHER_VENDOR),
    transaction('by-affiliate', 10, { affiliate_id: AFFILIATE }),
    transaction('direct', 20),
  ]);
  key = await service.key(VENDOR);
  raw = await openRaw(service.database.url);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

async function revisions(): Promise<number[]> {
  const rows = await raw.rows(
    `SELECT revision FROM ledger_revisions WHERE vendor_id <> ${AFFILIATE} ORDER BY vendor_id`,
  );
  return rows.map(({ revision }) => Number(revision));
}

async function shownName(): Promise<unknown> {
  const query = 'start_date=2025-06-01&end_date=2025-06-01';
  const { results } = await service.envelope(`/v3.0/transactions?${query}`, key);
  const affiliate = results[0]?.affiliate as { readonly display_name: unknown } | undefined;
  return affiliate?.display_name;
}

/** Imports an affiliate's record from another process. */
async function importAffiliate(changes: Readonly<Record<string, unknown>>): Promise<void> {
  const input = bytesOf([user(AFFILIATE, changes)]);
  const { stderr } = await runCli(service.database.url, ['import', '-'], { input });
  expect(stderr).toBe('');
}

describe("An affiliate's display name that changes", () => {
  it.each([['New name'], [null]])('shows in the list 3.0 of its sales (%j)', async (name) => {
    expect(await shownName()).not.toBe(name);
    await importAffiliate({ display_name: name });
    expect(await shownName()).toBe(name);
  });

  it('raises the revision of the vendors of its sales, and of no other', async () => {
    const [own = 0, other = 0] = await revisions();
    await importAffiliate({ display_name: 'Another name' });
    expect(await revisions()).toEqual([own + 1, other]);
  });

  it('raises them for every other field, too, because 2.1 and 2.0 show more of the affiliate', async () => {
    const [own = 0, other = 0] = await revisions();
    await importAffiliate({ display_name: 'Another name', email: 'new@example.test' });
    expect(await revisions()).toEqual([own + 1, other]);
  });

  it('raises no revision if nothing changed', async () => {
    const before = await revisions();
    await importAffiliate({ display_name: 'Another name', email: 'new@example.test' });
    expect(await revisions()).toEqual(before);
  });
});
