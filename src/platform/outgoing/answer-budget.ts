/** Maximum number of bytes of answers that a process holds at the same time. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Counts the bytes of one answer that are held in memory. */
class HeldBytes {
  bytes = 0;
  /** False once the whole answer has arrived, because its bytes are released soon. */
  isComing = true;

  constructor(
    readonly account: number,
    readonly giveUp: () => void,
  ) {}
}

/**
 * Limits the memory of answers that are being read. If the limit is exceeded, the account that
 * holds most loses an answer, so that no account prevents others from reading theirs.
 */
export class AnswerBudget {
  private readonly held = new Set<HeldBytes>();
  private total = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** @param giveUp stops reading the answer */
  begin(account: number, giveUp: () => void): HeldBytes {
    const held = new HeldBytes(account, giveUp);
    this.held.add(held);
    return held;
  }

  add(held: HeldBytes, bytes: number): void {
    if (!this.held.has(held)) return;
    held.bytes += bytes;
    this.total += bytes;
    while (this.total > this.maxBytes) {
      const largest = this.largest() ?? held;
      this.end(largest);
      largest.giveUp();
    }
  }

  end(held: HeldBytes): void {
    if (this.held.delete(held)) this.total -= held.bytes;
  }

  /** Returns the largest answer of the account that holds most. */
  private largest(): HeldBytes | undefined {
    const coming = [...this.held].filter(({ isComing }) => isComing);
    const sums = new Map<number, number>();
    for (const { account, bytes } of coming) sums.set(account, (sums.get(account) ?? 0) + bytes);
    const rank = ({ account }: HeldBytes) => sums.get(account) ?? 0;
    return coming.sort((one, other) => rank(other) - rank(one) || other.bytes - one.bytes)[0];
  }
}
