/** The reasons of changes in the feed, compared with what the writer noted. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import {
  expectReasons,
  partsOf,
  reasonsIn,
  textOf,
  type ShownItem,
} from '../../support/oracles/reason-checks.js';
import { writerIn } from '../../support/oracles/history-writers.js';
import { ReasonedHistory } from '../../support/oracles/reasoned-history.js';
import { printedRandom } from '../../support/random/seed.js';
import { TestService } from '../../support/servers/service.js';

const STEPS = 90;

let service: TestService;
let ledger: TestLedger;
let random: SeededRandom;
beforeAll(async () => {
  service = await TestService.start();
  ledger = TestLedger.on(service.database);
  random = printedRandom();
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

interface Page {
  readonly results: readonly ShownItem[];
  readonly meta: { readonly cursor: string; readonly has_more: boolean };
}

async function pageOf(query: string, key: string): Promise<Page> {
  return (await service.envelope(`/ledger/v1/changes?${query}`, key)) as unknown as Page;
}

/** Follows the feed, and checks each page. */
class ReasonFollower {
  /** Cursors of earlier answers. */
  private readonly cursors = ['0'];
  private got = new Set<string>();
  /** Position after which all reasons must come until the end of the present walk. */
  private from: number;
  isAtEnd = false;

  constructor(
    private readonly history: ReasonedHistory,
    private readonly key: string,
    private readonly kinds: string | null,
    private cursor = '0',
  ) {
    this.from = partsOf(cursor).position;
  }

  /**
   * Reads a page of a random size, sometimes from an earlier cursor or one of the old form.
   * @param meanwhile a change for which the answer waits
   * @returns whether there is more to read
   */
  async step(meanwhile?: () => Promise<void>): Promise<boolean> {
    if (meanwhile === undefined && random.chance(0.1)) this.goBack();
    const { position, walk_from } = partsOf(this.cursor);
    const limit = random.chance(0.1) ? 1_000 : random.integer(1, 4);
    const query = new URLSearchParams({
      after: this.cursor,
      limit: String(limit),
      ...(this.kinds === null ? {} : { kinds: this.kinds }),
      ...(meanwhile === undefined ? {} : { wait: '20' }),
    });
    const [{ results, meta }] = await Promise.all([
      pageOf(query.toString(), this.key),
      meanwhile?.(),
    ]);
    let last = position;
    for (const item of results) {
      expect(item.sequence).toBeGreaterThan(last);
      last = item.sequence;
      expectReasons(this.history, item, walk_from);
      if (this.kinds !== null) expect(this.kinds.split(',')).toContain(item.kind);
    }
    for (const reason of reasonsIn(results)) this.got.add(reason);
    const next = partsOf(meta.cursor);
    this.cursor = meta.cursor;
    this.cursors.push(meta.cursor);
    this.isAtEnd = !meta.has_more;
    expect(next.walk_from).toBe(meta.has_more ? walk_from : next.position);
    if (this.isAtEnd) this.expectAll(next.position);
    return meta.has_more;
  }

  private goBack(): void {
    const cursor = random.oneOf([...this.cursors.slice(-5), this.cursor]);
    const { position } = partsOf(cursor);
    this.cursor = random.chance(0.5) ? cursor : String(position);
    this.from = position;
    this.got = new Set();
  }

  /** Expects every reason since the last end, and begins a new walk. */
  private expectAll(end: number): void {
    const noted = this.history
      .since(this.from)
      .filter(({ kind, to }) => to <= end && (this.kinds?.split(',').includes(kind) ?? true));
    expect([...this.got]).toEqual(expect.arrayContaining(noted.map(textOf)));
    this.from = end;
    this.got = new Set();
  }
}

describe('reasons', () => {
  it('arrive at least once in each walk, and none from before it', async () => {
    const history = await ReasonedHistory.begin(writerIn(service, ledger, 1), 1, random);
    const [own, masked] = [await service.key(1), await service.key(1, 'masked')];
    const followers = [
      new ReasonFollower(history, own, null),
      new ReasonFollower(history, masked, null),
      new ReasonFollower(history, own, 'transaction'),
      new ReasonFollower(history, own, 'recurring_payment,relationship'),
    ];
    for (let step = 0; step < STEPS; step += 1) {
      await history.step();
      if (random.chance(0.02)) {
        const { headers } = await service.get('/ledger/v1/transactions.ndjson', own);
        const cursor = String(headers['x-ledger-cursor']);
        followers.push(new ReasonFollower(history, own, null, cursor));
      }
      for (const follower of followers) if (random.chance(0.5)) await follower.step();
      // A walk ends only now and then, so that it goes through many changes.
      if (random.chance(0.05)) for (const follower of followers) while (await follower.step());
    }
    for (const follower of followers) while (await follower.step());
    const [waiting] = followers;
    if (waiting?.isAtEnd !== true) throw new Error('the follower is not at the end');
    await waiting.step(() => history.step());
    while (await waiting.step());
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
});
