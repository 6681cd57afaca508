/** Milliseconds between two samples. */
export const SAMPLE_MS = 1_000;
/** A client that takes fewer bytes in a second loses its place to others who wait. */
const LEAST_BYTES = 32 * 1_024;
const SAMPLES = 5;

/** How fast the client of an export takes it. */
export class ExportPace {
  private readonly ending = new AbortController();
  /** The latest ones last. */
  private samples: number[] = [];
  private bytes = 0;

  /** Aborts when the export is to be cut off. */
  get cutOff(): AbortSignal {
    return this.ending.signal;
  }

  /** Bytes that were taken since the first of the latest samples. */
  get recentBytes(): number {
    return this.bytes - (this.samples[0] ?? 0);
  }

  /** Counts bytes that the client took. */
  add(bytes: number): void {
    this.bytes += bytes;
  }

  /** @returns true if the client has been too slow since several samples */
  sample(): boolean {
    this.samples.push(this.bytes);
    if (this.samples.length <= SAMPLES) return false;
    const isSlow = this.recentBytes < SAMPLES * LEAST_BYTES;
    this.samples.shift();
    return isSlow;
  }

  /** Begins with new samples. */
  forget(): void {
    this.samples = [];
  }

  end(): void {
    this.ending.abort();
  }
}
