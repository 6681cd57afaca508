import { setTimeout as wait } from 'node:timers/promises';
import { basic, send } from './http.js';
import { linesOf, NDJSON, RECORDS, resultsIn } from './records.js';

const PAUSE_MS = 100;
const RETRIED: ReadonlySet<number> = new Set([429, 500, 502, 503]);

/** Writes records to a service while a test does other things; what got no answer is sent again. */
export class LedgerWriter {
  /** Records that were taken. */
  written = 0;
  /** Records that were rejected, with what was wrong. */
  readonly rejected: string[] = [];
  /** Why it ended early. */
  failure: unknown = null;
  private over = false;
  private readonly work: Promise<void>;

  /**
   * @param port where the service is now; it may have died and come back
   * @param key of a source
   */
  constructor(
    private readonly port: () => number,
    private readonly key: string,
    private readonly next: () => object,
    private readonly perSecond: number,
  ) {
    this.work = this.write();
    // It is looked at in the end.
    this.work.catch((error: unknown) => (this.failure = error));
  }

  /** Ends when what was begun has been taken. */
  async end(): Promise<void> {
    this.over = true;
    await this.work;
  }

  private async write(): Promise<void> {
    const began = performance.now();
    let made = 0;
    while (!this.over) {
      const due = Math.floor(((performance.now() - began) / 1_000) * this.perSecond) - made;
      if (due > 0) await this.send(Array.from({ length: due }, this.next));
      made += Math.max(0, due);
      await wait(PAUSE_MS);
    }
  }

  private async send(records: readonly object[]): Promise<void> {
    const headers = { ...basic(this.key), 'Content-Type': NDJSON };
    const request = { method: 'POST', path: RECORDS, headers, body: linesOf(records) };
    for (;;) {
      const answer = await send(this.port(), request).catch(() => null);
      if (answer?.status === 200) {
        const rejected = resultsIn(answer).filter(({ verdict }) => verdict === 'rejected');
        this.rejected.push(...rejected.map(({ key, problem }) => `${key ?? ''}: ${problem ?? ''}`));
        this.written += records.length - rejected.length;
        return;
      }
      if (answer !== null && !RETRIED.has(answer.status)) throw new Error(answer.text);
      await wait(PAUSE_MS);
    }
  }
}
