import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { ended, startCli } from '../support/processes/cli.js';
import { bytesOf } from '../support/builders/test-ledger.js';
import type { GrowingLedger } from './growing-ledger.js';

const MOST_RUNS = 20;

/** An import that lasts as long as a test, and is restarted if it fails. */
export class SteadyImport {
  /** Number of its runs. */
  runs = 0;
  private readonly work: Promise<void>;
  private isHurried = false;

  /** @param pauseMs the pause between two batches, until the rest is requested */
  constructor(
    private readonly url: string,
    private readonly ledger: GrowingLedger,
    private readonly pauseMs: number,
  ) {
    this.work = this.untilDone();
    // `rest` reports the error.
    this.work.catch(() => undefined);
  }

  /**
   * Waits until everything is imported.
   * @throws Error if it fails repeatedly
   */
  async rest(): Promise<void> {
    this.isHurried = true;
    await this.work;
  }

  private async untilDone(): Promise<void> {
    for (this.runs = 1; ; this.runs += 1) {
      const child = startCli(this.url, ['import', '-']);
      // A failing import closes its end of the pipe.
      child.stdin.on('error', () => undefined);
      const done = ended(child);
      await this.feed(child);
      const { status, stderr } = await done;
      if (status === 0) return;
      if (this.runs === MOST_RUNS) throw new Error(`${String(status)}: ${stderr}`);
      await wait(500);
    }
  }

  /** Sends batches from the first one that no read has shown. Repeated batches change nothing. */
  private async feed(child: ChildProcessWithoutNullStreams): Promise<void> {
    for (let batch = this.ledger.batchesSeen; batch < this.ledger.batches; batch += 1) {
      if (child.exitCode !== null) return;
      child.stdin.write(bytesOf(this.ledger.begin(batch)));
      if (!this.isHurried) await wait(this.pauseMs);
    }
    child.stdin.end();
  }
}
