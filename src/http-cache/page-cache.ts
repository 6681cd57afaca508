import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { onAnswerEnd } from '../common/envelope/answer-end.js';
import { RenderedAnswer } from '../common/envelope/rendered-answer.js';
import { Settings } from '../config/settings.js';

const SEGMENT_BYTES = 1_048_576;
/** Of the memory that is set: the rest is for counts of ranges, and what V8 frees late. */
const SHARE = 5 / 8;
/** A page that nobody asks for goes after this time: an idle page costs memory and saves little. */
const IDLE_MS = 90_000;
/** What a page takes beside its body and its key: places in tables, objects, its tag. */
const ENTRY_BYTES = 800;

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
  /** What it takes, all in all. */
  taken: number;
  /** When the last page was put here, by `performance.now()`. */
  filledAt: number;
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
  private readonly mostBytes: number;
  private taken = 0;
  /** Pages that were sent from here, and that were put here, since the start. */
  readonly counts = { sent: 0, kept: 0 };

  constructor({ pageCacheBytes }: Settings) {
    this.mostBytes = Math.floor(pageCacheBytes * SHARE);
  }

  /** Memory that is taken. */
  get bytes(): number {
    return this.taken;
  }

  /** Whether a page is kept under this key, at whichever revision. */
  has(key: string): boolean {
    return this.pages.has(key);
  }

  /**
   * A kept page, to be sent at once with this response, until whose end its bytes stay as they are.
   * @returns null where there is none of this revision
   */
  take(key: string, revision: number, response: ServerResponse): RenderedAnswer | null {
    const page = this.pages.get(key);
    if (page?.revision !== revision) return null;
    this.counts.sent += 1;
    hold(page.segment, response);
    // What is asked for again moves on, lest it go with the pages beside it.
    if (this.isOld(page.segment)) this.keep(key, revision, page.answer, response);
    return page.answer;
  }

  /** @returns the answer as it is kept, to be sent at once with this response; itself where it is not */
  keep(
    key: string,
    revision: number,
    answer: RenderedAnswer,
    response: ServerResponse,
  ): RenderedAnswer {
    const { body, coding, tag } = answer;
    const entryBytes = ENTRY_BYTES + 2 * key.length;
    const segment = this.segmentFor(body, entryBytes);
    if (segment === null) return answer;
    const { bytes, used } = segment;
    const length = typeof body === 'string' ? bytes.write(body, used) : body.copy(bytes, used);
    segment.used += length;
    segment.filledAt = performance.now();
    this.charge(segment, entryBytes);
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

  /** @returns a segment with room for both, or null where there is no memory for it */
  private segmentFor(body: string | Buffer, entryBytes: number): Segment | null {
    // To count the bytes of a text takes as long as to write them: three a character are the most.
    const most = Buffer.isBuffer(body) ? body.length : 3 * body.length;
    const length = most > SEGMENT_BYTES ? Buffer.byteLength(body) : most;
    if (length > SEGMENT_BYTES) return null;
    const idleSince = performance.now() - IDLE_MS;
    let free: Buffer | null = null;
    for (;;) {
      const last = this.segments.at(-1);
      const fits = last !== undefined && last.used + length <= SEGMENT_BYTES;
      const hasRoom = this.taken + entryBytes + (fits ? 0 : SEGMENT_BYTES) <= this.mostBytes;
      if (hasRoom && fits) return last;
      // Slow clients read from the others.
      const oldest = this.segments.findIndex(
        ({ sending, filledAt }) => sending === 0 && (!hasRoom || filledAt < idleSince),
      );
      if (oldest < 0) return hasRoom ? this.added(free) : null;
      free = this.giveUp(oldest);
    }
  }

  private added(free: Buffer | null): Segment {
    const bytes = free ?? Buffer.allocUnsafeSlow(SEGMENT_BYTES);
    const segment = { bytes, used: 0, keys: [], taken: 0, filledAt: 0, sending: 0 };
    this.segments.push(segment);
    this.charge(segment, SEGMENT_BYTES);
    return segment;
  }

  private charge(segment: Segment, bytes: number): void {
    segment.taken += bytes;
    this.taken += bytes;
  }

  private giveUp(place: number): Buffer | null {
    const [segment] = this.segments.splice(place, 1);
    if (segment === undefined) return null;
    for (const key of segment.keys) {
      if (this.pages.get(key)?.segment === segment) this.pages.delete(key);
    }
    this.taken -= segment.taken;
    return segment.bytes;
  }
}

/** As long as its answer is being sent, a segment is not used anew. */
function hold(segment: Segment, response: ServerResponse): void {
  segment.sending += 1;
  onAnswerEnd(response, () => {
    segment.sending -= 1;
  });
}
