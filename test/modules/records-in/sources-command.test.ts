import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from '../../support/builders/ledger-records.js';
import { TestLedger, type Dump } from '../../support/builders/test-ledger.js';
import { sendRecords, verdictsIn } from '../../support/http/records.js';
import { FeedFollower } from '../../support/oracles/feed-follower.js';
import type { Ended } from '../../support/processes/cli.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, AFFILIATE, ALONE, OTHER] = [1, 2, 3, 4];
const TAKEN = 11;

let service: TestService;
let ledger: TestLedger;
let source: string;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  ledger = TestLedger.on(service.database);
  await service.import([
    ...[VENDOR, AFFILIATE, ALONE, OTHER].map((id) => user(id)),
    product(10, VENDOR),
    product(40, OTHER),
    affiliation(AFFILIATE, 10),
    recurringPayment('KEPT', 10),
    ...salesOf(10, AFFILIATE, 3),
    ...salesOf(40, AFFILIATE, 1),
  ]);
  source = await service.sourceKey(VENDOR);
  key = await service.key(VENDOR);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

function salesOf(product_id: number, affiliate_id: number, count: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const id = `S-${product_id}-${affiliate_id}-${at}`;
    const own = { affiliate_id, payouts: WITH_COMMISSION, tracking: { tid: 'a', sub_id1: id } };
    const kinds = [
      { payout_items: [payoutItem(VENDOR)] },
      { status: 'pending' },
      { status: 'refunded', refund: refund('2025-07-03T00:00:00Z') },
    ];
    return transaction(id, product_id, { ...own, ...kinds[at % 3] });
  });
}

/** Returns the records of a source, with more sales than one batch removes. */
function taken(): object[] {
  return [
    product(TAKEN, VENDOR),
    affiliation(AFFILIATE, TAKEN),
    clicks(ALONE, TAKEN),
    recurringPayment('TAKEN', TAKEN, { id: 2 }),
    ...salesOf(TAKEN, AFFILIATE, 1_003),
    ...salesOf(TAKEN, ALONE, 3),
  ];
}

function remove(product_id: number, ...more: string[]): Promise<Ended> {
  const whose = ['--vendor', String(VENDOR), '--product', String(product_id)];
  return ledger.cli(['sources', 'remove', ...whose, ...more]);
}

/** Returns the ledger and its sums without the revisions, which increase. */
async function ledgerNow(): Promise<Dump> {
  const tables = Object.entries(await ledger.dump());
  return Object.fromEntries(tables.filter(([name]) => name !== 'ledger_revisions'));
}

async function followAll(follower: FeedFollower): Promise<void> {
  let hasMore = true;
  while (hasMore) hasMore = await follower.step(service);
}

describe('sources remove', () => {
  it('says what it would delete, and deletes it with --yes alone, sums included', async () => {
    const before = await ledgerNow();
    expect(new Set(verdictsIn(await sendRecords(service, source, taken())))).toEqual(
      new Set(['inserted']),
    );
    const follower = new FeedFollower(key, 500);
    await followAll(follower);
    expect(follower.of('affiliate').size).toBe(2);
    const held = await ledgerNow();
    const printed = {
      product: 1,
      relationships: 1,
      recurring_payments: 1,
      transactions: 1_006,
      clicks: 1,
    };
    const tried = await remove(TAKEN);
    expect(tried).toMatchObject({
      status: 0,
      stderr: 'Nothing was deleted. Add --yes to delete this.\n',
    });
    expect(tried.stdout).toMatch(/^transactions {2,}1006$/m);
    expect(await ledgerNow()).toEqual(held);
    const done = await remove(TAKEN, '--yes', '--json');
    expect(JSON.parse(done.stdout)).toEqual({ ...printed, removed: true });
    expect(await ledgerNow()).toEqual(before);
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
    await followAll(follower);
    expect(await follower.isExport(service)).toBe(true);
    const left = ['affiliate', 'product', 'relationship', 'recurring_payment'];
    expect(left.map((kind) => follower.of(kind).size)).toEqual([1, 1, 1, 1]);
    const [audited] = await ledger.rows(
      "SELECT subject, state_before FROM audit_log WHERE action = 'product.remove'",
    );
    expect(audited?.subject).toBe(`product ${TAKEN}`);
    expect(JSON.parse(String(audited?.state_before))).toMatchObject({
      vendor_id: VENDOR,
      ...printed,
    });
  });

  it('lets what comes back take the places in the feed', async () => {
    const follower = new FeedFollower(key, 500);
    await followAll(follower);
    expect(new Set(verdictsIn(await sendRecords(service, source, taken())))).toEqual(
      new Set(['inserted']),
    );
    await followAll(follower);
    expect(await follower.isExport(service)).toBe(true);
    expect(
      await ledger.rows("SELECT kind FROM changed_records WHERE kind LIKE 'removed%'"),
    ).toEqual([]);
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });

  it('needs --force for a product that the operator named', async () => {
    const before = await ledgerNow();
    const { status, stderr } = await remove(10, '--yes');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'Records of the operator named product 10. Add --force to remove it all the same.\n',
    });
    expect(await ledgerNow()).toEqual(before);
    expect(await remove(10, '--yes', '--force')).toMatchObject({ status: 0, stderr: '' });
    expect(await ledger.rows('SELECT id FROM products WHERE id = 10')).toEqual([]);
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });

  it('removes no product of another vendor', async () => {
    expect(await remove(40, '--yes', '--force')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'User 1 has no product 40.\n',
    });
  });
});
