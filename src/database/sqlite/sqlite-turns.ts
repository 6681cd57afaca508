import { setImmediate as nextTurn } from 'node:timers/promises';
import { retryWhileBusy } from './sqlite-busy.js';

/** Statements run in the thread of the event loop, and requests wait for them. */
const LONGEST_MS = 8;

let isBegun = false;
let begunAt = 0;

/**
 * Runs a statement of a transaction, which may have many of them: after some milliseconds in one turn of the event
 * loop, other work goes first.
 * @throws the driver's error, also if the file stays locked for too long
 */
export async function inTurn<Result>(statement: () => Result): Promise<Result> {
  if (!isBegun) begin();
  else if (performance.now() - begunAt > LONGEST_MS) await nextTurn();
  return retryWhileBusy(statement);
}

function begin(): void {
  isBegun = true;
  begunAt = performance.now();
  setImmediate(() => {
    isBegun = false;
  });
}
