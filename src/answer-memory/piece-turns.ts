import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SharedRoom } from '../common/shared-room.js';

/** The event loop has nothing else to do if it turns faster. */
const IDLE_MS = 1;
/** Other work goes first for at most so long. */
const LONGEST_MS = 100;

/**
 * The turns in which parts of large answers are read, one after the other in the whole process, and by account.
 * After each of them other work of the event loop goes first, for about as long as the part took. So a request
 * that needs little waits for one part at a time, however many large answers are being read.
 */
@Injectable()
export class PieceTurns {
  private readonly room = new SharedRoom({
    size: 1,
    waitMs: Infinity,
    maxWaiting: Infinity,
    refusal: () => new Error('turns are given to everybody who waits'),
  });

  /** How many parts had to wait for their turn. */
  get waited(): number {
    return this.room.counts.waited;
  }

  /** Waits until the account may read its next part. */
  async next(account: number): Promise<void> {
    const turn = await this.room.take(account, 1);
    void giveWay().then(turn.free);
  }
}

/** Lets the caller read its part, and then others work for as long. */
async function giveWay(): Promise<void> {
  const begun = performance.now();
  let last = begun;
  let end = Infinity;
  do {
    await nextTurn();
    const now = performance.now();
    const took = now - last;
    last = now;
    if (end === Infinity) end = now + Math.min(took, LONGEST_MS);
    else if (took < IDLE_MS) return;
  } while (last < end);
}
