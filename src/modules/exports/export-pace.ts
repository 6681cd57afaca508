/** Milliseconds between two samples. */
export const SAMPLE_MS = 1_000;
/** A client that reads fewer bytes per second loses its place to waiting exports. */
const LEAST_BYTES = 32 * 1_024;
const SAMPLES = 5;

/** Measures how fast the client of an export reads. */
export class ExportPace {
  private readonly ending = new AbortController();
  /** Byte counts of the latest samples, the newest last. */
  private samples: number[] = [];
  private bytes = 0;

  /** Aborts when the export must end early. */
  get cutOff(): AbortSignal {
    return this.ending.signal;
  }

  /** Number of bytes that the client has read since the first of the latest samples. */
  get recentBytes(): number {
    return this.bytes - (this.samples[0] ?? 0);
  }

  /** Counts bytes that the client has read. */
  add(bytes: number): void {
    this.bytes += bytes;
  }

  /** Adds a sample. @returns true if the client has been too slow over several samples */
  sample(): boolean {
    this.samples.push(this.bytes);
    if (this.samples.length <= SAMPLES) return false;
    const isSlow = this.recentBytes < SAMPLES * LEAST_BYTES;
    this.samples.shift();
    return isSlow;
  }

  /** Deletes all samples. */
  forget(): void {
    this.samples = [];
  }

  end(): void {
    this.ending.abort();
  }
}
