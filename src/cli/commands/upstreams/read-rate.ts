/** Measures how many transactions a run reads per second, with a monotonic clock. */
export class ReadRate {
  private began: { readonly at: number; readonly listed: number } | null = null;
  private last = 0;

  /** @param now a monotonic time in milliseconds, with any origin */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @param listed number of transactions that the run has read so far; a new run begins at 0 again
   */
  rateAt(listed: number): number {
    const at = this.now();
    if (this.began === null) this.began = { at, listed };
    else if (listed < this.last) this.began = { at, listed: 0 };
    this.last = listed;
    const { at: since, listed: before } = this.began;
    return Math.round(((listed - before) * 1_000) / Math.max(1, at - since));
  }
}
