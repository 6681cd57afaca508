/** The reasons of changes in the feed, compared with what the writer noted. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { reasonsIn, ReasonedHistory, textOf } from '../../support/oracles/reasoned-history.js';
import { printedRandom } from '../../support/random/seed.js';
import { TestService } from '../../support/servers/service.js';

const STEPS = 80;

let service: TestService;
let random: SeededRandom;
beforeAll(async () => {
  service = await TestService.start();
  random = printedRandom();
});
afterAll(() => service.stop());

interface Page {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly meta: { readonly cursor: string; readonly has_more: boolean };
}

async function pageOf(query: string, key: string): Promise<Page> {
  return (await service.envelope(`/ledger/v1/changes?${query}`, key)) as unknown as Page;
}

/** Follows the feed, and checks the reasons of each page. */
class ReasonFollower {
  /** Number of reasons that were noted when the follower last had everything. */
  private known: number;
  private cursor: string;
  private readonly got = new Set<string>();

  constructor(
    private readonly history: ReasonedHistory,
    private readonly key: string,
    { cursor, known }: { readonly cursor: string; readonly known: number },
  ) {
    this.cursor = cursor;
    this.known = known;
  }

  /** @returns whether there is more to read */
  async step(): Promise<boolean> {
    const limit = random.integer(1, 4);
    const { results, meta } = await pageOf(`after=${this.cursor}&limit=${limit}`, this.key);
    const since = this.history.noted.slice(this.known).map(textOf);
    for (const item of results) {
      const reasons = reasonsIn([item]);
      if (item.kind !== 'product') expect(reasons.length).toBeGreaterThan(0);
      for (const reason of reasons) this.got.add(reason);
    }
    expect(since).toEqual(expect.arrayContaining([...this.got]));
    this.cursor = meta.cursor;
    if (meta.has_more) return true;
    expect([...this.got].sort()).toEqual([...new Set(since)].sort());
    expect(this.cursor).toMatch(/^\d+$/);
    this.known = this.history.noted.length;
    this.got.clear();
    return false;
  }
}

describe('reasons', () => {
  it('arrive at least once in each walk, and none from before it', async () => {
    const history = await ReasonedHistory.begin(service, 1, random);
    const [own, masked] = [await service.key(1), await service.key(1, 'masked')];
    const start = { cursor: '0', known: 0 };
    const followers = [own, masked].map((key) => new ReasonFollower(history, key, start));
    for (let step = 0; step < STEPS; step += 1) {
      await history.step();
      if (random.chance(0.02)) {
        const { headers } = await service.get('/ledger/v1/transactions.ndjson', own);
        const cursor = String(headers['x-ledger-cursor']);
        const from = { cursor, known: history.noted.length };
        followers.push(new ReasonFollower(history, own, from));
      }
      for (const follower of followers) if (random.chance(0.6)) await follower.step();
    }
    for (const follower of followers) while (await follower.step());
  });

  it('stay with a thing that changes while a walk reads other pages', async () => {
    const sale = (id: string, changes = {}) => transaction(id, 20, changes);
    await service.import([user(2), product(20, 2), sale('a'), sale('b'), sale('c')]);
    const key = await service.key(2);
    const first = await pageOf('kinds=transaction&limit=2', key);
    expect(reasonsIn(first.results)).toEqual(['a sold', 'b sold']);
    await service.import([sale('b', { amount: '9.00' })]);
    const next = `kinds=transaction&after=${first.meta.cursor}`;
    expect(reasonsIn((await pageOf(next, key)).results)).toEqual([
      'c sold',
      'b sold',
      'b corrected',
    ]);
    const [position] = first.meta.cursor.split('.');
    const old = await pageOf(`kinds=transaction&after=${position ?? ''}`, key);
    expect(reasonsIn(old.results)).toEqual(['c sold', 'b corrected']);
  });

  it('of a subscription begin anew when it moves to another vendor', async () => {
    await service.import([
      user(3),
      product(30, 3),
      user(4),
      product(40, 4),
      recurringPayment('moves', 30, { id: 77 }),
    ]);
    await service.import([recurringPayment('moves', 30, { id: 77, current_payments: 2 })]);
    const { results } = await pageOf('kinds=recurring_payment', await service.key(3));
    expect(reasonsIn(results)).toEqual(['moves started', 'moves paid']);
    await service.import([recurringPayment('moves', 40, { id: 77, current_payments: 3 })]);
    const other = await pageOf('kinds=recurring_payment', await service.key(4));
    expect(reasonsIn(other.results)).toEqual(['moves started']);
  });

  it.each(['1.2', '1.', '9007199254740992', '1.99999999999999999', '1.0.0', '0.-0'])(
    'are not read after the cursor %s',
    async (cursor) => {
      const answer = await service.get(`/ledger/v1/changes?after=${cursor}`, await service.key(2));
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('4001')]);
    },
  );
});
