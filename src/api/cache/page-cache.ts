import { Injectable, Module } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { onResponseEnd } from '../envelope/response-end.js';
import { RenderedAnswer } from '../envelope/rendered-answer.js';
import { Settings } from '../../config/settings.js';
import { Metrics } from '../../platform/observability/metrics.js';

const SEGMENT_BYTES = 1_048_576;
/**
 * The share of the configured memory that this cache uses: the rest is for counts of ranges, and
 * for memory that V8 frees late.
 */
const SHARE = 5 / 8;
/**
 * A page that is not requested for this many milliseconds may be evicted, since an idle page saves
 * little work.
 */
const IDLE_MS = 90_000;
/**
 * Memory of an entry in bytes, in addition to its body and its key: map slots, objects, its tag.
 */
const ENTRY_BYTES = 800;

/** Holds an answer that was sent before, and the revision that it shows. */
interface CachedPage {
  readonly revision: number;
  readonly answer: RenderedAnswer;
  readonly segment: Segment;
}

/** Holds the bytes of many pages in memory that is reused as a whole. */
interface Segment {
  readonly bytes: Buffer;
  used: number;
  readonly keys: string[];
  /** Bytes of the segment and of its entries. */
  totalBytes: number;
  /** Time at which the last page was stored here, by `performance.now()`. */
  filledAt: number;
  /** The number of responses that are being sent from it. */
  sending: number;
}

/**
 * Keeps the cached pages of this process, each valid at its own revision only. Their bytes are
 * stored one after another in a few large segments; the oldest segment is reused first. Thousands
 * of separate, short-lived buffers would use much more memory (docs/measurements/older.md).
 */
@Injectable()
export class PageCache {
  private readonly pages = new Map<string, CachedPage>();
  /** Segments in the order in which they were added, the oldest first. */
  private readonly segments: Segment[] = [];
  private readonly maxBytes: number;
  private totalBytes = 0;
  /** Numbers of pages sent from the cache, and stored in it, since the start of the process. */
  readonly counts = { sent: 0, kept: 0 };

  constructor({ pageCacheBytes }: Settings) {
    this.maxBytes = Math.floor(pageCacheBytes * SHARE);
  }

  /** Returns the memory in use, in bytes. */
  get bytes(): number {
    return this.totalBytes;
  }

  /** Returns true if a page is cached under this key, at any revision. */
  has(key: string): boolean {
    return this.pages.has(key);
  }

  /**
   * Returns a cached page, to be sent immediately with this response. Its bytes stay unchanged
   * until the response ends.
   * @returns null if no page of this revision is cached
   */
  get(key: string, revision: number, response: ServerResponse): RenderedAnswer | null {
    const page = this.pages.get(key);
    if (page?.revision !== revision) return null;
    this.counts.sent += 1;
    hold(page.segment, response);
    // A requested page is copied to a newer segment, so that it survives eviction.
    const isOld = this.segments.indexOf(page.segment) < this.segments.length / 2 - 1;
    if (isOld) this.set(key, revision, page.answer, response);
    return page.answer;
  }

  /**
   * Returns memory for a body that is passed to `set` immediately, with the same key. This saves a
   * copy.
   */
  allocate(key: string, length: number): Buffer {
    const segment = this.segmentFor(length, entryBytesOf(key));
    return segment === null ? Buffer.allocUnsafe(length) : take(segment, length);
  }

  /**
   * Stores an answer, if there is memory for it.
   * @returns the cached answer, to be sent immediately with this response; `answer` if it is not
   *   cached
   */
  set(
    key: string,
    revision: number,
    answer: RenderedAnswer,
    response: ServerResponse,
  ): RenderedAnswer {
    const stored = this.stored(answer.body, entryBytesOf(key));
    if (stored === null) return answer;
    const { segment, body } = stored;
    segment.filledAt = performance.now();
    this.charge(segment, entryBytesOf(key));
    this.counts.kept += 1;
    segment.keys.push(key);
    hold(segment, response);
    const cached = new RenderedAnswer(body, answer.coding, answer.tag, answer.count);
    this.pages.set(key, { revision, answer: cached, segment });
    return cached;
  }

  /**
   * Stores a body in a segment, unless it is already there.
   * @returns null if there is no memory for it
   */
  private stored(
    body: string | Buffer,
    entryBytes: number,
  ): { readonly segment: Segment; readonly body: Buffer } | null {
    if (typeof body !== 'string') {
      const own = this.segments.at(-1);
      if (own?.bytes.buffer === body.buffer) return { segment: own, body };
    }
    // Counting the bytes of a text takes as long as writing them. A character has at most three
    // bytes.
    const maxLength = typeof body === 'string' ? 3 * body.length : body.length;
    const length = maxLength > SEGMENT_BYTES ? Buffer.byteLength(body) : maxLength;
    const segment = this.segmentFor(length, entryBytes);
    if (segment === null) return null;
    const { bytes, used } = segment;
    const written = typeof body === 'string' ? bytes.write(body, used) : body.copy(bytes, used);
    return { segment, body: take(segment, written) };
  }

  /**
   * Finds a segment with room for a body; evicts old segments if necessary.
   * @returns the last segment, or null if there is no memory for the body
   */
  private segmentFor(length: number, entryBytes: number): Segment | null {
    if (length > SEGMENT_BYTES) return null;
    const idleSince = performance.now() - IDLE_MS;
    let free: Buffer | null = null;
    for (;;) {
      const last = this.segments.at(-1);
      const fits = last !== undefined && last.used + length <= SEGMENT_BYTES;
      const hasRoom = this.totalBytes + entryBytes + (fits ? 0 : SEGMENT_BYTES) <= this.maxBytes;
      if (hasRoom && fits) return last;
      // Slow clients may still read from the other segments.
      const oldest = this.segments.findIndex(
        ({ sending, filledAt }) => sending === 0 && (!hasRoom || filledAt < idleSince),
      );
      if (oldest < 0) return hasRoom ? this.added(free) : null;
      free = this.evict(oldest);
    }
  }

  private added(free: Buffer | null): Segment {
    const bytes = free ?? Buffer.allocUnsafeSlow(SEGMENT_BYTES);
    const segment = { bytes, used: 0, keys: [], totalBytes: 0, filledAt: 0, sending: 0 };
    this.segments.push(segment);
    this.charge(segment, SEGMENT_BYTES);
    return segment;
  }

  private charge(segment: Segment, bytes: number): void {
    segment.totalBytes += bytes;
    this.totalBytes += bytes;
  }

  private evict(index: number): Buffer | null {
    const [segment] = this.segments.splice(index, 1);
    if (segment === undefined) return null;
    for (const key of segment.keys) {
      if (this.pages.get(key)?.segment === segment) this.pages.delete(key);
    }
    this.totalBytes -= segment.totalBytes;
    return segment.bytes;
  }
}

/** Returns the next bytes of a segment. */
function take(segment: Segment, length: number): Buffer {
  const { bytes, used } = segment;
  segment.used += length;
  return bytes.subarray(used, used + length);
}

function entryBytesOf(key: string): number {
  return ENTRY_BYTES + 2 * key.length;
}

/** Keeps a segment from being reused while the response is being sent. */
function hold(segment: Segment, response: ServerResponse): void {
  segment.sending += 1;
  onResponseEnd(response, () => {
    segment.sending -= 1;
  });
}

/**
 * Provides the page cache to modules that tag or cache their answers. Each of them also provides a
 * RevisionSource.
 */
@Module({ providers: [PageCache], exports: [PageCache] })
export class HttpCacheModule {
  constructor(metrics: Metrics, pages: PageCache) {
    const { counts } = pages;
    const help = 'Pages sent from and put into the page cache.';
    metrics.counter('page_cache_pages_total', help, 'event', () => counts);
    metrics.gauge('page_cache_bytes', 'Memory of the page cache.', 'state', () => ({
      taken: pages.bytes,
    }));
  }
}
