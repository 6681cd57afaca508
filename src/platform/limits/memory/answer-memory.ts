import type { ServerResponse } from 'node:http';
import { Injectable, Module } from '@nestjs/common';
import { onResponseEnd } from '../../../api/envelope/response-end.js';
import { ApiError } from '../../../api/errors/api-error.js';
import { SharedRoom, type Share } from './shared-room.js';
import { Settings } from '../../../config/settings.js';
import { Metrics } from '../../observability/metrics.js';
import { PieceTurns } from './piece-turns.js';

/** Maximum wait for memory, in milliseconds. It is shorter than typical client timeouts. */
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';
/**
 * Memory of an answer that is sent part by part: the rows of a part, its bytes, and the next part.
 */
export const PIECES_BYTES = 4 * 1_048_576;
/** Approximate memory of a row with its JSON, in bytes. */
const ROW_BYTES = 8_192;

/**
 * Limits the memory of answers in this process, from before they are read until the client has
 * received them. Accounts share the memory, so that no account can exhaust it with large requests
 * or slow reads.
 */
@Injectable()
export class AnswerMemory {
  readonly room: SharedRoom;

  constructor({ answerMemoryBytes }: Settings) {
    this.room = new SharedRoom({ size: answerMemoryBytes, waitMs: WAIT_MS, refusal });
  }

  /**
   * Reserves memory for a response until the response ends.
   * @throws ApiError too_many_requests if other answers of the account need too much for too long
   */
  async forResponse(response: ServerResponse, account: number, bytes: number): Promise<Share> {
    const share = this.room.tryTake(account, bytes) ?? (await this.wait(response, account, bytes));
    freeAtEnd(response, share);
    return share;
  }

  /**
   * Counts memory that is already in use, until the response ends. It is counted even if it exceeds
   * the limit.
   */
  hold(response: ServerResponse, account: number, bytes: number): void {
    freeAtEnd(response, this.room.add(account, bytes));
  }

  /** Waits for memory as long as the client is connected. */
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
  // A response that has already ended does not emit its end again.
  if (response.destroyed || response.req.socket.destroyed) share.free();
}

/** Returns the approximate memory, in bytes, of an answer with up to `count` rows. */
export function memoryOfRows(count: number): number {
  return count * ROW_BYTES;
}

function refusal(): ApiError {
  const detail =
    'Other answers of this account are still being sent, and take the memory of this one. Try again when they have ended.';
  return new ApiError('too_many_requests', detail, { 'Retry-After': RETRY_AFTER_SECONDS });
}

/** Provides the memory limit of answers to modules whose answers may be large. */
@Module({ providers: [AnswerMemory, PieceTurns], exports: [AnswerMemory, PieceTurns] })
export class AnswerMemoryModule {
  constructor(metrics: Metrics, memory: AnswerMemory, turns: PieceTurns) {
    metrics.gauge('answer_memory_bytes', 'Memory of answers that are being sent.', 'state', () => ({
      taken: memory.room.used,
    }));
    const waits =
      'Answers that had to wait for memory, and those that were refused for lack of it.';
    metrics.counter('answer_memory_waits_total', waits, 'outcome', () => memory.room.counts);
    const pieces = 'Parts of large answers that waited while a part of another answer was read.';
    metrics.counter('answer_piece_waits_total', pieces, 'outcome', () => ({
      waited: turns.room.counts.waited,
    }));
  }
}
