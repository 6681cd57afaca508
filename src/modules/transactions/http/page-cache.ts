import { Injectable } from '@nestjs/common';
import type { EventEmitter } from 'node:events';
import { RenderedAnswer } from '../../../common/envelope/rendered-answer.js';
import { Settings } from '../../../config/settings.js';

const SEGMENT_BYTES = 1_048_576;
/** Of the memory that is set: the rest is for keys, counts of ranges, and what V8 frees late. */
const SHARE = 1 / 2;

/** An answer that was sent before, and of which revision of the ledger it tells. */
interface KeptPage {
  readonly revision: number;
  readonly answer: RenderedAnswer;
  readonly segment: Segment;
}

/** Memory for the bytes of many pages, which is used anew as a whole. */
interface Segment {
  readonly bytes: Buffer;
  used: number;
  readonly keys: string[];
  /** How many answers are being sent from it. */
  sending: number;
}

/**
 * The pages of this process, each to be used at its own revision only. Their bytes lie one after
 * another in few large segments, of which the oldest is used anew when one is needed: as thousands of
 * buffers that come and go one by one they take twice the memory, and a tenth of the time.
 */
@Injectable()
export class PageCache {
  private readonly pages = new Map<string, KeptPage>();
  /** The oldest first. */
  private readonly segments: Segment[] = [];
  private readonly mostSegments: number;
  /** Pages that were sent from here, and that were put here, since the start. */
  readonly counts = { sent: 0, kept: 0 };

  constructor({ pageCacheBytes }: Settings) {
    this.mostSegments = Math.floor((pageCacheBytes * SHARE) / SEGMENT_BYTES);
  }

  /** Memory that is taken. */
  get bytes(): number {
    return this.segments.length * SEGMENT_BYTES;
  }

  /** Whether a page is kept under this key, at whichever revision. */
  has(key: string): boolean {
    return this.pages.has(key);
  }

  /**
   * A kept page, to be sent at once with this response, until whose end its bytes stay as they are.
   * @returns null where there is none of this revision
   */
  take(key: string, revision: number, response: EventEmitter): RenderedAnswer | null {
    const page = this.pages.get(key);
    if (page?.revision !== revision) return null;
    this.counts.sent += 1;
    hold(page.segment, response);
    // What is asked for again moves on, lest it go with the pages beside it.
    if (this.isOld(page.segment)) this.keep(key, revision, page.answer, response);
    return page.answer;
  }

  /** @returns the answer as it is kept, to be sent at once with this response */
  keep(
    key: string,
    revision: number,
    answer: RenderedAnswer,
    response: EventEmitter,
  ): RenderedAnswer {
    const { body, coding, tag } = answer;
    const segment = this.segmentFor(body);
    if (segment === null) return answer;
    const { bytes, used } = segment;
    const length = typeof body === 'string' ? bytes.write(body, used) : body.copy(bytes, used);
    segment.used += length;
    this.counts.kept += 1;
    segment.keys.push(key);
    hold(segment, response);
    const kept = new RenderedAnswer(bytes.subarray(used, used + length), coding, tag);
    this.pages.set(key, { revision, answer: kept, segment });
    return kept;
  }

  private isOld(segment: Segment): boolean {
    return this.segments.indexOf(segment) < this.segments.length / 2 - 1;
  }

  private segmentFor(body: string | Buffer): Segment | null {
    // To count the bytes of a text takes as long as to write them: three a character are the most.
    const most = Buffer.isBuffer(body) ? body.length : 3 * body.length;
    const length = most > SEGMENT_BYTES ? Buffer.byteLength(body) : most;
    if (length > SEGMENT_BYTES || this.mostSegments === 0) return null;
    const last = this.segments.at(-1);
    if (last !== undefined && last.used + length <= SEGMENT_BYTES) return last;
    const bytes = this.segments.length < this.mostSegments ? null : this.giveBackOldest();
    const segment = {
      bytes: bytes ?? Buffer.allocUnsafeSlow(SEGMENT_BYTES),
      used: 0,
      keys: [],
      sending: 0,
    };
    this.segments.push(segment);
    return segment;
  }

  /** @returns its memory, or null where a slow client still reads from it */
  private giveBackOldest(): Buffer | null {
    const oldest = this.segments.shift();
    if (oldest === undefined) return null;
    for (const key of oldest.keys) {
      if (this.pages.get(key)?.segment === oldest) this.pages.delete(key);
    }
    return oldest.sending === 0 ? oldest.bytes : null;
  }
}

/** As long as its answer is being sent, a segment is not used anew. */
function hold(segment: Segment, response: EventEmitter): void {
  segment.sending += 1;
  response.once('close', () => {
    segment.sending -= 1;
  });
}
