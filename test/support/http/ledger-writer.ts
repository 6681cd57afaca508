import { setTimeout as wait } from 'node:timers/promises';
import { basic, send } from './http.js';
import { linesOf, NDJSON, RECORDS, resultsIn } from './records.js';

const PAUSE_MS = 100;
const RETRIED: ReadonlySet<number> = new Set([429, 500, 502, 503]);

/** Writes records to a service during a test, and sends requests without a response again. */
export class LedgerWriter {
  /** Number of records that were accepted. */
  written = 0;
  /** Rejected records with their problems. */
  readonly rejected: string[] = [];
  /** Reason why writing ended early, or null. */
  failure: unknown = null;
  private over = false;
  private readonly work: Promise<void>;

  /**
   * @param port returns the current port of the service, which may have been restarted
   * @param key key of a source
   */
  constructor(
    private readonly port: () => number,
    private readonly key: string,
    private readonly next: () => object,
    private readonly perSecond: number,
  ) {
    this.work = this.write();
    // The test checks the failure at its end.
    this.work.catch((error: unknown) => (this.failure = error));
  }

  /** Stops writing and waits until the last request has been accepted. */
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
