import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RenderedAnswer } from '../../../src/api/envelope/rendered-answer.js';
import { readSettings } from '../../../src/start/load-settings.js';
import { PageCache } from '../../../src/api/cache/page-cache.js';

const KEY_ENCRYPTION_SECRET = 'a secret of exactly 32 characters';
const MEBIBYTE = 1_048_576;
/** Two of these pages fill a segment of a mebibyte. */
const PAGE_BYTES = 500_000;

let pages: PageCache;
beforeEach(() => {
  pages = cacheOf(6);
});

/**
 * Returns a cache. Five eighths of its memory are for pages: with 6 MiB, three segments, or six
 * large pages.
 */
function cacheOf(megabytes: number): PageCache {
  const PAGE_CACHE_MB = String(megabytes);
  return new PageCache(readSettings({ NODE_ENV: 'test', KEY_ENCRYPTION_SECRET, PAGE_CACHE_MB }));
}

function page(letter: string, bytes = PAGE_BYTES): RenderedAnswer {
  return new RenderedAnswer(Buffer.from(letter.repeat(bytes)), 'gzip', `"${letter}"`, 1);
}

/** Returns an answer that is being sent until it emits `close`. */
function sending(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

/** Stores a page whose client has read it at once. */
function keep(key: string, revision: number, kept: RenderedAnswer): void {
  const response = sending();
  pages.set(key, revision, kept, response);
  response.emit('close');
}

/** Returns the page that is sent, while the client still reads it. */
function taken(key: string, response = sending()): RenderedAnswer | null {
  return pages.get(key, 1, response);
}

/** Returns the answer as text, which is compared much faster than a buffer. */
function shown(answer: RenderedAnswer | null) {
  return { body: answer?.body.toString(), coding: answer?.coding, tag: answer?.tag };
}

function keepMany(count: number): void {
  for (let each = 0; each < count; each += 1) keep(`other ${each}`, 1, page('.'));
}

describe('a kept page', () => {
  it('is what was kept, its coding and its tag included', () => {
    keep('a', 1, page('a'));
    keep('b', 1, page('b'));
    expect(shown(taken('a'))).toEqual(shown(page('a')));
    expect(shown(taken('b'))).toEqual(shown(page('b')));
  });

  it('is none at another revision', () => {
    keep('a', 2, page('a'));
    expect(taken('a')).toBeNull();
    expect(pages.has('a')).toBe(true);
  });

  it('is the last that was kept under its key', () => {
    keep('a', 1, page('a'));
    keep('a', 1, page('b'));
    expect(shown(taken('a'))).toEqual(shown(page('b')));
  });

  it('goes when its memory is needed, the oldest first', () => {
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) keep(key, 1, page(key));
    expect(['a', 'b', 'c', 'g'].map((key) => pages.has(key))).toEqual([false, false, true, true]);
  });

  it('stays where it is asked for again and again', () => {
    pages = cacheOf(24);
    keep('a', 1, page('a'));
    for (let round = 0; round < 20; round += 1) {
      keepMany(15);
      expect(shown(taken('a'))).toEqual(shown(page('a')));
    }
  });

  it('keeps its bytes until the client has read them', () => {
    keep('a', 1, page('a'));
    const response = sending();
    const sent = taken('a', response);
    keepMany(20);
    expect(shown(sent)).toEqual(shown(page('a')));
    response.emit('close');
  });

  it('is not kept where it is larger than a segment, nor where no memory is set', () => {
    keep('large', 1, page('l', 1_048_577));
    expect(pages.has('large')).toBe(false);
    pages = cacheOf(0);
    keep('a', 1, page('a'));
    expect(pages.has('a')).toBe(false);
  });
});

describe('a page that nobody asks for', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    pages = cacheOf(24);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('goes after a minute and a half, when others come', () => {
    keepMany(6);
    jest.advanceTimersByTime(90_001);
    keep('new', 1, page('n'));
    keep('newer', 1, page('n'));
    expect(['other 0', 'other 5', 'new', 'newer'].map((key) => pages.has(key))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(pages.bytes).toBeLessThan(2 * MEBIBYTE);
  });

  it('stays where a client asks once a minute', () => {
    keep('a', 1, page('a'));
    for (let minute = 0; minute < 5; minute += 1) {
      keepMany(6);
      jest.advanceTimersByTime(60_000);
      expect(shown(taken('a'))).toEqual(shown(page('a')));
    }
  });

  it('stays while its bytes are being sent', () => {
    keep('a', 1, page('a'));
    const sent = taken('a');
    jest.advanceTimersByTime(90_001);
    keepMany(6);
    expect(shown(sent)).toEqual(shown(page('a')));
  });
});

describe('the memory of the pages', () => {
  const collect = collector();

  it.each([10, 1_000])('is no more than was set, with keys of %i characters', (keyLength) => {
    pages = cacheOf(16);
    collect();
    const before = memory();
    for (let each = 0; each < 40_000; each += 1) {
      keep(`${each} ${'x'.repeat(keyLength)}`, 1, page('a', 300));
    }
    collect();
    expect(pages.bytes).toBeLessThanOrEqual(16 * MEBIBYTE);
    expect(memory() - before).toBeLessThanOrEqual(16 * MEBIBYTE);
    expect(pages.has(`39999 ${'x'.repeat(keyLength)}`)).toBe(true);
  });

  it('is no more while clients do not read, and goes to others once they have', () => {
    const slow = Array.from({ length: 40 }, () => sending());
    for (const [place, response] of slow.entries()) {
      pages.set(`slow ${place}`, 1, page('.'), response);
    }
    expect(pages.bytes).toBeLessThanOrEqual(6 * MEBIBYTE);
    const answer = page('b');
    expect(pages.set('other', 1, answer, sending())).toBe(answer);
    expect(['slow 0', 'slow 5', 'slow 6', 'other'].map((key) => pages.has(key))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    for (const response of slow) response.emit('close');
    keep('other', 1, answer);
    expect(shown(taken('other'))).toEqual(shown(answer));
  });
});

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Returns a function that frees unreferenced objects, so that the rest can be counted. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // With a different flag, V8 would reject code that it compiled before.
  setFlagsFromString('--no-expose-gc');
  return () => {
    collect();
    // Another thread frees the buffers, and the next collection waits for it.
    collect();
  };
}
