import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { everyJob, JobQueue } from '../../../platform/jobs/job-queue.js';
import { type Share, SharedRoom } from '../../../platform/limits/memory/shared-room.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import type { Upstream } from '../upstreams/upstream.model.js';
import { UpstreamsRepository } from '../upstreams/upstreams.repository.js';
import { MirrorReaderService } from './mirror-reader.service.js';

const LIMITS = {
  /** Maximum number of upstreams read at a time, without those whose slow answers are awaited. */
  working: 4,
  /** An upstream that takes longer to answer, in milliseconds, is slow. */
  slowMs: 3_000,
};
const MAX_KNOWN_SLOW = 10_000;

/**
 * Decides which upstreams a process reads from. A slow upstream gives its place to those that wait,
 * and waits for a place again when its answer has arrived.
 */
export class ReadingSlots {
  private readonly places: SharedRoom;
  /** All slots; those that gave their places away are in the order in which they did. */
  private readonly slots = new Set<ReadingSlot>();
  /** Ids of upstreams that were slow when they were last read. */
  private readonly knownSlow = new LRUCache<number, true>({ max: MAX_KNOWN_SLOW });

  constructor(private readonly limits = LIMITS) {
    this.places = SharedRoom.refusingNobody(limits.working);
  }

  get counts(): Readonly<Record<SlotState, number>> {
    const counts = { reading: 0, slow: 0, waiting: 0 };
    for (const { state } of this.slots) counts[state] += 1;
    return counts;
  }

  /** Opens a slot for an upstream. @param ending ends the reading */
  open(id: number, ending: AbortController): ReadingSlot {
    const onLeave = () => {
      this.slots.delete(slot);
      this.slots.add(slot);
    };
    const how = { slowMs: this.limits.slowMs, isKnownSlow: this.knownSlow.has(id), onLeave };
    const slot = new ReadingSlot(id, ending, this.places, how);
    this.slots.add(slot);
    void slot.enter();
    return slot;
  }

  /** Ends the reading from the upstream whose answer has been awaited longest. */
  endSlowest(): void {
    [...this.slots].find(({ state }) => state === 'slow')?.abort();
  }

  /** Ends the reading from an upstream. */
  end(slot: ReadingSlot): void {
    if (slot.isSlow) this.knownSlow.set(slot.id, true);
    else this.knownSlow.delete(slot.id);
    slot.abort();
    slot.leave();
    this.slots.delete(slot);
  }
}

type SlotState = 'reading' | 'slow' | 'waiting';

/** Represents the reading from one upstream. */
export class ReadingSlot {
  private place: Share | null = null;
  private entering: Promise<void> | null = null;
  /** Number of calls without an answer so far. */
  private calls = 0;
  private timer: NodeJS.Timeout | undefined;
  private wasSlow = false;

  constructor(
    readonly id: number,
    private readonly ending: AbortController,
    private readonly places: SharedRoom,
    private readonly how: {
      readonly slowMs: number;
      readonly isKnownSlow: boolean;
      readonly onLeave: () => void;
    },
  ) {}

  /** Aborts when the reading has to end. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** True if an answer took longer than the limit. */
  get isSlow(): boolean {
    return this.wasSlow;
  }

  get state(): SlotState {
    if (this.place !== null) return 'reading';
    return this.entering === null ? 'slow' : 'waiting';
  }

  /** Waits for a place. A slot that has one, or has ended, does not wait. */
  async enter(): Promise<void> {
    if (this.signal.aborted) return;
    this.place ??= this.places.tryTake(this.id, 1);
    if (this.place === null) await (this.entering ??= this.queue());
  }

  /** Gives the place to others. */
  leave(): void {
    if (this.place === null) return;
    this.place.free();
    this.place = null;
    this.how.onLeave();
  }

  /** Makes a call to the upstream. Waits for a place again after the last call has returned. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    this.calls += 1;
    this.watch();
    try {
      return await call();
    } finally {
      this.calls -= 1;
      this.watch();
      if (this.calls === 0) await this.enter();
    }
  }

  abort(): void {
    clearTimeout(this.timer);
    this.ending.abort();
  }

  private async queue(): Promise<void> {
    try {
      const place = await this.places.take(this.id, 1, { isGone: this.signal });
      if (this.signal.aborted) place.free();
      else this.place = place;
    } catch {
      // The reading has ended.
    } finally {
      this.entering = null;
    }
  }

  private watch(): void {
    clearTimeout(this.timer);
    if (this.calls === 0 || this.signal.aborted) return;
    if (this.how.isKnownSlow || this.wasSlow) this.leave();
    this.timer = setTimeout(() => {
      this.wasSlow = true;
      this.leave();
    }, this.how.slowMs).unref();
  }
}

const POLL_MS = 1_000;
/** Each poll starts reading from at most this many upstreams. */
const MAX_BEGUN = 4;
/** Maximum number of upstreams with a slot, including those that are slow or wait. */
const MAX_OPEN = 64;
/** Reading from an upstream ends after this time, so that others can be read. */
const MAX_TURN_MS = 60_000;

type DueUpstream = Pick<Upstream, 'id'>;

/** Polls for upstreams that are due and reads from them until the service stops. */
@Injectable()
export class MirrorLoopService extends JobQueue<DueUpstream> {
  private readonly slots = new ReadingSlots();

  constructor(
    private readonly upstreams: UpstreamsRepository,
    private readonly reader: MirrorReaderService,
    metrics: Metrics,
  ) {
    super('Upstreams could not be read', POLL_MS, [{ max: MAX_OPEN, group: everyJob }]);
    const help = 'Upstreams that this process reads from.';
    metrics.gauge('upstreams_reading', help, 'state', () => this.slots.counts);
  }

  protected async due(running: ReadonlySet<number>): Promise<DueUpstream[]> {
    // Upstreams that wait for a place are still due, so the limit allows for those.
    const due = await this.upstreams.due(MAX_BEGUN + running.size);
    const others = due.filter(({ id }) => !running.has(id)).slice(0, MAX_BEGUN);
    if (others.length > 0 && this.size === MAX_OPEN) this.slots.endSlowest();
    return others;
  }

  protected async attempt({ id }: DueUpstream, ending: AbortController): Promise<void> {
    const { signal } = ending;
    const slot = this.slots.open(id, ending);
    try {
      await slot.enter();
      if (!signal.aborted) await this.reader.read(id, { signal, maxMs: MAX_TURN_MS, slot });
    } finally {
      this.slots.end(slot);
    }
  }
}
