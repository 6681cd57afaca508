import { expect } from '@jest/globals';
import type { Received } from '../servers/webhook-receiver.js';
import {
  expectReasons,
  partsOf,
  reasonsIn,
  textOf,
  thingOf,
  type ShownItem,
} from './reason-checks.js';
import type { NotedReason, ReasonedHistory } from './reasoned-history.js';

/** Describes the changes that an endpoint asks for. */
export interface WantedChanges {
  readonly kinds?: readonly string[];
  readonly reasons?: readonly string[];
  readonly product_ids?: readonly number[];
}

function isWanted(wanted: WantedChanges, { kind, reason, product }: NotedReason): boolean {
  return (
    (wanted.kinds?.includes(kind) ?? true) &&
    (wanted.reasons?.includes(reason) ?? true) &&
    (wanted.product_ids?.includes(product) ?? true)
  );
}

/** Compares what an endpoint gets with what the writer of its ledger noted. */
export class EndpointChecks {
  /** The deliveries that its receiver has accepted. */
  private readonly accepted = new Set<Received>();
  /** Reasons that need not come, because their delivery was skipped. */
  private readonly waived = new Set<string>();
  /** Number of deliveries that were checked. */
  private checked = 0;
  /** Reasons after this position must have come by the next rest. */
  private rest = 0;
  /** No reason before this position may come. */
  private bound = 0;
  /** Filters since the last rest, with the position from which each is valid. */
  private filters: { readonly wanted: WantedChanges; readonly from: number }[];

  /** @param begun sequence of the last change when the endpoint was created */
  constructor(
    private readonly history: ReasonedHistory,
    wanted: WantedChanges,
    begun: number,
  ) {
    this.filters = [{ wanted, from: 0 }];
    [this.rest, this.bound] = [begun, begun];
  }

  /** Notes a delivery that the receiver accepts. */
  accept(received: Received): void {
    this.accepted.add(received);
  }

  /** Notes another filter. */
  filter(wanted: WantedChanges, now: number): void {
    this.filters.push({ wanted, from: now });
  }

  /** Notes that the last of these deliveries was skipped. */
  skip(received: readonly Received[]): void {
    const skipped = received.at(-1);
    if (skipped === undefined) throw new Error('nothing was sent yet');
    for (const text of reasonsIn(itemsOf(skipped))) this.waived.add(text);
  }

  /**
   * Checks the deliveries since the last rest, when the endpoint has read everything.
   * @param received all deliveries to the endpoint, in their order
   * @param end sequence of the last change
   */
  expectAll(received: readonly Received[], end: number): void {
    const since = received.slice(this.checked);
    for (const delivery of since) this.expectExact(delivery);
    // A new filter may pass earlier changes than a delivery that failed.
    if (this.filters.length === 1) expectOrder(since);
    const arrived = since.filter((one) => this.accepted.has(one)).flatMap(itemsOf);
    const must = this.history.since(this.rest).filter((noted) => this.mustCome(noted));
    const got = [...reasonsIn(arrived), ...this.waived];
    expect(got).toEqual(expect.arrayContaining(must.map(textOf)));
    this.checked = received.length;
    this.rest = end;
    // A walk goes on after a skip, because the receiver has not got everything.
    if (this.waived.size === 0) this.bound = end;
    this.waived.clear();
    this.filters = this.filters.slice(-1);
  }

  private expectExact(delivery: Received): void {
    const { cursor } = dataOf(delivery);
    const { walk_from } = partsOf(cursor);
    expect(walk_from).toBeGreaterThanOrEqual(this.bound);
    for (const item of itemsOf(delivery)) {
      expectReasons(this.history, item, walk_from);
      this.expectWanted(item);
    }
  }

  /** Expects an item to pass one of the filters since the last rest. */
  private expectWanted(item: ShownItem): void {
    const noted = this.history.noted.filter(({ thing }) => thing === thingOf(item));
    if (noted.length === 0) return;
    const shown = item.reasons ?? [''];
    const ofItem = noted.filter(({ reason }) => shown.includes(reason));
    const passes = this.filters.some(({ wanted }) => ofItem.some((each) => isWanted(wanted, each)));
    expect({ item, passes }).toEqual({ item, passes: true });
  }

  /** A reason must come if it passes each filter that was valid at or after its change. */
  private mustCome(noted: NotedReason): boolean {
    return this.filters.every(({ wanted }, place) => {
      const ends = this.filters[place + 1]?.from ?? Infinity;
      return noted.from >= ends || isWanted(wanted, noted);
    });
  }
}

function dataOf({ body }: Received) {
  const { data } = JSON.parse(body) as {
    data: { readonly changes: readonly ShownItem[]; readonly cursor: string };
  };
  return data;
}

function itemsOf(delivery: Received): readonly ShownItem[] {
  return dataOf(delivery).changes;
}

/** Expects deliveries in the order of their changes; one may be there several times. */
function expectOrder(deliveries: readonly Received[]): void {
  const first = [...new Map(deliveries.map(({ id, sequences }) => [id, sequences])).values()];
  const sequences = [...new Set(first.flat())];
  expect(sequences).toEqual([...sequences].sort((left, right) => left - right));
}
