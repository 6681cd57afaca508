import { LRUCache } from 'lru-cache';

interface SlotLimits {
  /** Maximum number of upstreams read at a time, without those whose slow answers are awaited. */
  readonly working: number;
  /** Maximum number of upstreams with a slot, including those that are slow or wait. */
  readonly open: number;
  /** An upstream that takes longer to answer, in milliseconds, is slow. */
  readonly slowMs: number;
}

interface Waiter {
  readonly place: Promise<void>;
  readonly start: () => void;
}

const LIMITS: SlotLimits = { working: 4, open: 64, slowMs: 3_000 };
const MAX_KNOWN_SLOW = 10_000;

/**
 * Decides which upstreams a process reads from. A slow upstream gives its place to those that wait,
 * and waits for a place again when its answer has arrived.
 */
export class ReadingSlots {
  private readonly working = new Set<ReadingSlot>();
  /** Slots that wait for a place, in the order in which they get one. */
  private readonly waiting = new Map<ReadingSlot, Waiter>();
  /** Slots that wait for answers without a place, the longest first. */
  private readonly outside = new Set<ReadingSlot>();
  /** Ids of upstreams that were slow when they were last read. */
  private readonly knownSlow = new LRUCache<number, true>({ max: MAX_KNOWN_SLOW });

  constructor(private readonly limits = LIMITS) {}

  get counts(): Readonly<Record<'reading' | 'slow' | 'waiting', number>> {
    const { working, outside, waiting } = this;
    return { reading: working.size, slow: outside.size, waiting: waiting.size };
  }

  /**
   * Opens a slot for an upstream.
   * @returns null if there are too many; then the slow slot that has waited longest ends, and its
   *   upstream continues later
   */
  open(id: number): ReadingSlot | null {
    const { working, outside, waiting, limits } = this;
    if (working.size + outside.size + waiting.size < limits.open) {
      const slot = new ReadingSlot(this, limits.slowMs, this.knownSlow.has(id));
      void this.queue(slot);
      return slot;
    }
    const [longest] = outside;
    longest?.abort();
    return null;
  }

  /** Waits for a place. A slot that has one, or has ended, does not wait. */
  async enter(slot: ReadingSlot): Promise<void> {
    if (this.working.has(slot) || slot.signal.aborted) return;
    this.outside.delete(slot);
    await (this.waiting.get(slot)?.place ?? this.queue(slot));
  }

  /** Gives the place to others. */
  leave(slot: ReadingSlot): void {
    if (!this.working.delete(slot)) return;
    this.outside.add(slot);
    this.startNext();
  }

  /** Ends the reading from an upstream. */
  end(id: number, slot: ReadingSlot): void {
    if (slot.isSlow) this.knownSlow.set(id, true);
    else this.knownSlow.delete(id);
    slot.abort();
    for (const slots of [this.working, this.outside, this.waiting]) slots.delete(slot);
    this.startNext();
  }

  private queue(slot: ReadingSlot): Promise<void> {
    let start = (): void => undefined;
    const place = new Promise<void>((resolve) => {
      start = resolve;
    });
    slot.signal.addEventListener('abort', start, { once: true });
    this.waiting.set(slot, { place, start });
    this.startNext();
    return place;
  }

  private startNext(): void {
    for (const [slot, { start }] of this.waiting) {
      if (this.working.size >= this.limits.working) return;
      this.waiting.delete(slot);
      this.working.add(slot);
      start();
    }
  }
}

/** Represents the reading from one upstream. */
export class ReadingSlot {
  private readonly ending = new AbortController();
  /** Number of calls without an answer so far. */
  private calls = 0;
  private timer: NodeJS.Timeout | undefined;
  private wasSlow = false;

  constructor(
    private readonly slots: ReadingSlots,
    private readonly slowMs: number,
    private readonly isKnownSlow: boolean,
  ) {}

  /** Aborts when the reading has to end. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** True if an answer took longer than the limit. */
  get isSlow(): boolean {
    return this.wasSlow;
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
      if (this.calls === 0) await this.slots.enter(this);
    }
  }

  abort(): void {
    clearTimeout(this.timer);
    this.ending.abort();
  }

  private watch(): void {
    clearTimeout(this.timer);
    if (this.calls === 0 || this.signal.aborted) return;
    if (this.isKnownSlow || this.wasSlow) this.slots.leave(this);
    this.timer = setTimeout(() => {
      this.wasSlow = true;
      this.slots.leave(this);
    }, this.slowMs).unref();
  }
}
