import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SharedRoom } from './shared-room.js';

/**
 * A turn of the event loop that takes less time than this, in milliseconds, means that it has no
 * other work.
 */
const IDLE_MS = 1;
/** Maximum time, in milliseconds, during which other work goes first. */
const LONGEST_MS = 100;

/**
 * Schedules the reads of parts of large answers: one at a time in the whole process, in turns by
 * account. After each part, other work of the event loop goes first for about as long as the part
 * took. So a small request waits for one part at a time, however many large answers are being read.
 */
@Injectable()
export class PieceTurns {
  readonly room = SharedRoom.refusingNobody(1);

  /** Waits until the account may read its next part. */
  async next(account: number): Promise<void> {
    const turn = await this.room.take(account, 1);
    void giveWay().then(turn.free);
  }
}

/** Lets the caller read its part, then lets other work run for about as long. */
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
