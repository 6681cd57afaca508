/** Limits the size of a room, in places or bytes, and the time that callers wait for it. */
interface RoomLimits {
  readonly size: number;
  /** Milliseconds that a caller waits by default. */
  readonly waitMs: number;
  /**
   * Makes the error for a caller whose wait timed out, or who found too many callers waiting
   * already.
   */
  readonly refusal: () => Error;
  /**
   * Maximum number of callers of one account that wait; further callers are rejected immediately.
   */
  readonly maxWaiting?: number;
}

/** Represents a part of the room that a caller holds. */
export interface Share {
  /**
   * Enlarges the share if there is room.
   * @returns false, and changes nothing, if there is not enough room
   */
  readonly tryGrow: (amount: number) => boolean;
  /** Sets the size of the share, whether there is room for it or not. */
  readonly resize: (amount: number) => void;
  readonly free: () => void;
}

interface WaitOptions {
  /** Milliseconds to wait instead of the room's default; Infinity to wait without a limit. */
  readonly waitMs?: number;
  /** Ends the wait when the caller disconnects. */
  readonly isGone?: AbortSignal;
}

interface Waiting {
  readonly amount: number;
  readonly start: (share: Share) => void;
}

const MAX_WAITING = 100;

/** Records the room that an account has in total, and its number of shares. */
type Own = Readonly<typeof NOTHING>;
const NOTHING = { amount: 0, shares: 0 };

/**
 * Shares room fairly between accounts. An account has one share of any size, or several that
 * together are not larger than the room that stays free. So there is always some room for an
 * account that has none. Waiting callers are served by account in turn, and within an account in
 * the order in which they came.
 */
export class SharedRoom {
  private readonly owns = new Map<number, Own>();
  /** The waiting callers by account, in the order of the accounts' turns. */
  private readonly waiting = new Map<number, Set<Waiting>>();
  private total = 0;
  /** Numbers of callers who had to wait, and of callers who were rejected. */
  readonly counts = { waited: 0, refused: 0 };

  constructor(private readonly limits: RoomLimits) {}

  /**
   * Creates a room in which everybody waits as long as needed. Only a caller who is gone gets an
   * error.
   */
  static refusingNobody(size: number): SharedRoom {
    const refusal = () => new Error('the caller who waited is gone');
    return new SharedRoom({ size, waitMs: Infinity, maxWaiting: Infinity, refusal });
  }

  get used(): number {
    return this.total;
  }

  /**
   * Takes a share without waiting.
   * @returns null if there is no room, or other callers of the account wait
   */
  tryTake(account: number, amount: number): Share | null {
    if (this.waiting.has(account) || !this.hasRoomFor(account, amount, 1)) return null;
    return this.add(account, amount);
  }

  /** Takes a share whether there is room for it or not. */
  add(account: number, amount: number): Share {
    let size = amount;
    let isFree = false;
    this.count(account, { amount, shares: 1 });
    const resize = (next: number) => {
      if (isFree) return;
      const more = next - size;
      size = next;
      this.count(account, { amount: more, shares: 0 });
      if (more < 0) this.serve();
    };
    return {
      tryGrow: (more) => {
        if (isFree || !this.hasRoomFor(account, more, 0)) return false;
        resize(size + more);
        return true;
      },
      resize,
      free: () => {
        if (isFree) return;
        isFree = true;
        this.count(account, { amount: -size, shares: -1 });
        this.serve();
      },
    };
  }

  /**
   * Takes a share, and waits for it if necessary.
   * @throws the room's error for callers who wait too long, are too many or have disconnected
   */
  async take(account: number, amount: number, options: WaitOptions = {}): Promise<Share> {
    const share = this.tryTake(account, amount);
    if (share !== null) return share;
    const queue = this.waiting.get(account) ?? new Set();
    const { maxWaiting = MAX_WAITING } = this.limits;
    if (queue.size >= maxWaiting) throw this.refused();
    this.counts.waited += 1;
    this.waiting.set(account, queue);
    return this.waitFor(account, queue, amount, options);
  }

  /**
   * Runs work while it holds a share.
   * @throws the room's error if there is no share; the work has then not started
   */
  async during<Result>(
    account: number,
    amount: number,
    work: () => Promise<Result>,
    options: WaitOptions = {},
  ): Promise<Result> {
    const share = await this.take(account, amount, options);
    try {
      return await work();
    } finally {
      share.free();
    }
  }

  private waitFor(
    account: number,
    queue: Set<Waiting>,
    amount: number,
    { waitMs = this.limits.waitMs, isGone }: WaitOptions,
  ): Promise<Share> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        isGone?.removeEventListener('abort', giveUp);
        queue.delete(waiting);
        if (queue.size === 0 && this.waiting.get(account) === queue) this.waiting.delete(account);
      };
      const end = (error: Error) => {
        leave();
        reject(error);
        // The caller may have been the first of its queue, in front of a caller who needs less
        // room.
        this.serve();
      };
      const giveUp = () => {
        end(this.limits.refusal());
      };
      const refuse = () => {
        end(this.refused());
      };
      const waiting: Waiting = {
        amount,
        start: (share) => {
          leave();
          resolve(share);
        },
      };
      const timer = waitMs === Infinity ? undefined : setTimeout(refuse, waitMs);
      isGone?.addEventListener('abort', giveUp);
      queue.add(waiting);
    });
  }

  private refused(): Error {
    this.counts.refused += 1;
    return this.limits.refusal();
  }

  /** Returns true if an account may have this much more room, in this many more shares. */
  private hasRoomFor(account: number, amount: number, shares: number): boolean {
    const own = this.owns.get(account) ?? NOTHING;
    const free = this.limits.size - this.total - amount;
    return own.shares + shares === 1 ? free >= 0 : own.amount + amount <= free;
  }

  private count(account: number, { amount, shares }: Own): void {
    const own = this.owns.get(account) ?? NOTHING;
    this.total += amount;
    if (own.shares + shares === 0) this.owns.delete(account);
    else this.owns.set(account, { amount: own.amount + amount, shares: own.shares + shares });
  }

  /** Gives free room to waiting callers, to one account after the other. */
  private serve(): void {
    let hasServed = true;
    while (hasServed) {
      hasServed = false;
      for (const [account, queue] of [...this.waiting]) {
        const [first] = queue;
        if (first === undefined || !this.hasRoomFor(account, first.amount, 1)) continue;
        hasServed = true;
        first.start(this.add(account, first.amount));
        if (!this.waiting.delete(account)) continue;
        this.waiting.set(account, queue);
      }
    }
  }
}
