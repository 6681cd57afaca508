import { setImmediate as nextTurn } from 'node:timers/promises';
import { retryWhileBusy } from './sqlite-busy.js';

/**
 * Maximum milliseconds of statements in one turn of the event loop. They run in its thread, and
 * requests wait for them.
 */
const LONGEST_MS = 8;

/** Spreads the statements of transactions, which may be many, over turns of the event loop. */
export class SqliteTurns {
  private isBegun = false;
  private begunAt = 0;

  /**
   * Runs a statement. If statements have run for some milliseconds in this turn, other work runs
   * first.
   * @throws the driver's error, also if the file stays locked for too long
   */
  async run<Result>(statement: () => Result): Promise<Result> {
    if (!this.isBegun) this.begin();
    else if (performance.now() - this.begunAt > LONGEST_MS) await nextTurn();
    return retryWhileBusy(statement);
  }

  private begin(): void {
    this.isBegun = true;
    this.begunAt = performance.now();
    setImmediate(() => {
      this.isBegun = false;
    });
  }
}
