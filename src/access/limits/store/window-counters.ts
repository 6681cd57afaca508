/**
 * Number of entries checked for expiry on each insert. More than one, so that expired entries
 * cannot pile up.
 */
const CHECKS_PER_INSERT = 2;

/** Counts the requests in the current window of one length. */
export interface WindowCounter {
  readonly endsAt: number;
  used: number;
}

/** Keeps the most recently used windows by name, and drops expired ones. */
export class WindowCounters {
  private readonly counters = new Map<string, WindowCounter>();
  private next = this.counters.entries();

  constructor(private readonly max: number) {}

  get size(): number {
    return this.counters.size;
  }

  /** Returns the current window of a name, or undefined if there is none. */
  get(name: string, now: number): WindowCounter | undefined {
    const found = this.counters.get(name);
    if (found === undefined) return undefined;
    this.counters.delete(name);
    if (found.endsAt <= now) return undefined;
    this.counters.set(name, found);
    return found;
  }

  set(name: string, counter: WindowCounter, now: number): void {
    this.dropExpired(now);
    this.counters.set(name, counter);
    if (this.counters.size <= this.max) return;
    const { value: oldest } = this.counters.keys().next();
    if (oldest !== undefined) this.counters.delete(oldest);
  }

  private dropExpired(now: number): void {
    for (let checked = 0; checked < CHECKS_PER_INSERT; checked += 1) {
      const { value, done } = this.next.next();
      if (done === true) {
        this.next = this.counters.entries();
        return;
      }
      const [name, { endsAt }] = value;
      if (endsAt <= now) this.counters.delete(name);
    }
  }
}
