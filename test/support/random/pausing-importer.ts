import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { refund, transaction } from '../builders/ledger-records.js';
import type { TestService } from '../servers/service.js';
import { sampled } from './properties.js';

/** One of so many transactions is changed, so that most of a list stays as it is. */
const SHARE = 6;
/** New transactions have one of so many ids, so that the ledger stays small. */
const NEW = 40;

const write = fc.record({
  place: fc.nat(),
  isNew: fc.boolean(),
  day: fc.constantFrom('2025-05-29', '2025-05-30', '2025-06-01', '2025-06-04', '2025-06-05'),
  amount: fc.constantFrom('0.00', '47.00', '1000.00'),
  status: fc.constantFrom('pending', 'completed', 'refunded', 'charged_back'),
  hasRefund: fc.boolean(),
  pause: fc.nat(12),
});
type Write = typeof write extends fc.Arbitrary<infer Value> ? Value : never;

/** Imports sales, refunds and corrections while others read, and pauses at random moments. */
export class PausingImporter {
  private readonly writes = sampled(write, 500);
  private writing: readonly string[] = [];
  private changed = new Set<string>();
  private count = 0;
  private isStopped = false;

  /**
   * @param existing ids of transactions, some of which are changed
   * @param keys keys of recurring payments by transaction; they do not change
   */
  constructor(
    private readonly service: TestService,
    private readonly product_id: number,
    private readonly existing: readonly string[],
    private readonly keys: ReadonlyMap<string, string>,
  ) {}

  /** Imports until `work` has ended. */
  async during(work: () => Promise<void>): Promise<void> {
    const imports = this.run();
    try {
      await work();
    } finally {
      this.isStopped = true;
      await imports;
    }
  }

  /** Returns the ids that are written from now until the next call, and those being written. */
  changesFromNow(): ReadonlySet<string> {
    this.changed = new Set(this.writing);
    return this.changed;
  }

  /** Lets imports run for a moment. */
  async pause(): Promise<void> {
    for (let turns = this.next().pause; turns > 0; turns -= 1) await setImmediate();
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const some = [this.next(), this.next()].map((one) => this.recordOf(one));
      this.writing = some.map(({ id }) => id);
      for (const id of this.writing) this.changed.add(id);
      await this.service.import(some.map(({ record }) => record));
      this.writing = [];
      await this.pause();
    }
  }

  private next(): Write {
    this.count += 1;
    const next = this.writes[this.count % this.writes.length];
    if (next === undefined) throw new Error('there are no writes');
    return next;
  }

  private recordOf({ place, isNew, day, amount, status, hasRefund }: Write) {
    const old = this.existing[(place * SHARE) % this.existing.length];
    const id = isNew || old === undefined ? `new-${place % NEW}` : old;
    const isReturned = status === 'refunded' || status === 'charged_back';
    const returned = isReturned && hasRefund ? { refund: refund('2025-06-05T12:00:00Z') } : {};
    const pre_key = this.keys.get(id) ?? null;
    const content = { sale_date: `${day}T10:00:00Z`, amount, status, pre_key, ...returned };
    return { id, record: transaction(id, this.product_id, content) };
  }
}
