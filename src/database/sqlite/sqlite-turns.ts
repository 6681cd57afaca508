import { setImmediate as nextTurn } from 'node:timers/promises';
import { retryWhileBusy } from './sqlite-busy.js';

/** Statements run in the thread of the event loop, and requests wait for them. */
const LONGEST_MS = 8;

/** The turns of the event loop in which statements of transactions run, which may have many of them. */
export class SqliteTurns {
  private isBegun = false;
  private begunAt = 0;

  /**
   * Runs a statement. After some milliseconds of them in one turn, other work goes first.
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
