import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { onResponseEnd } from '../common/envelope/response-end.js';
import { ApiError } from '../common/errors/api-error.js';
import { SharedRoom, type Share } from '../common/shared-room.js';
import { Settings } from '../config/settings.js';

/** Shorter than typical client timeouts. */
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';
/** An answer that is sent part by part holds the rows of a part, its bytes, and the next part. */
export const PIECES_BYTES = 4 * 1_048_576;
/** A row takes about so many bytes, with its JSON. */
const ROW_BYTES = 8_192;

/**
 * The memory of answers in this process, from before they are read until the client has them. Accounts share
 * it, so that nobody who asks for much, or reads slowly, leaves none for others.
 */
@Injectable()
export class AnswerMemory {
  private readonly room: SharedRoom;

  constructor({ answerMemoryBytes }: Settings) {
    this.room = new SharedRoom({ size: answerMemoryBytes, waitMs: WAIT_MS, refusal });
  }

  get bytes(): number {
    return this.room.used;
  }

  get counts(): Readonly<Record<'waited' | 'refused', number>> {
    return this.room.counts;
  }

  /**
   * Memory for a response until it ends.
   * @throws ApiError too_many_requests if others of the account need too much for too long
   */
  async forResponse(response: ServerResponse, account: number, bytes: number): Promise<Share> {
    const share = this.room.tryTake(account, bytes) ?? (await this.wait(response, account, bytes));
    freeAtEnd(response, share);
    return share;
  }

  /**
   * Memory for something that is read for an account.
   * @throws ApiError too_many_requests, as above; then nothing was read
   */
  whileReading<Result>(
    account: number,
    bytes: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.room.during(account, bytes, work);
  }

  /** Counts what was read until the response ends, whether there is room for it or not. */
  hold(response: ServerResponse, account: number, bytes: number): void {
    freeAtEnd(response, this.room.add(account, bytes));
  }

  /** Waits for memory as long as the client is there. */
  private wait(response: ServerResponse, account: number, bytes: number): Promise<Share> {
    const gone = new AbortController();
    onResponseEnd(response, () => {
      gone.abort();
    });
    return this.room.take(account, bytes, { isGone: gone.signal });
  }
}

function freeAtEnd(response: ServerResponse, share: Share): void {
  onResponseEnd(response, share.free);
  // A response that ended before tells nobody again.
  if (response.destroyed || response.req.socket.destroyed) share.free();
}

/** The bytes that an answer with up to so many rows takes. */
export function memoryOfRows(count: number): number {
  return count * ROW_BYTES;
}

function refusal(): ApiError {
  return new ApiError(
    'too_many_requests',
    'Other answers of this account are still being sent, and take the memory of this one. Try again when they have ended.',
    { 'Retry-After': RETRY_AFTER_SECONDS },
  );
}
