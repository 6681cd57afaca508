import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { RenderedAnswer } from '../../src/common/envelope/rendered-answer.js';
import { readSettings } from '../../src/config/settings.js';
import { PageCache } from '../../src/modules/transactions/http/page-cache.js';

const KEY_ENCRYPTION_SECRET = 'a secret of exactly 32 characters';
/** Two of them fill a segment of a mebibyte. */
const PAGE_BYTES = 500_000;

let pages: PageCache;
beforeEach(() => {
  pages = cacheOf(6);
});

/** Half of the memory is for pages: of 6 MiB three segments, six large pages. */
function cacheOf(megabytes: number): PageCache {
  const PAGE_CACHE_MB = String(megabytes);
  return new PageCache(readSettings({ NODE_ENV: 'test', KEY_ENCRYPTION_SECRET, PAGE_CACHE_MB }));
}

function page(letter: string, bytes = PAGE_BYTES): RenderedAnswer {
  return new RenderedAnswer(Buffer.from(letter.repeat(bytes)), 'gzip', `"${letter}"`);
}

/** Keeps a page whose client has read it at once. */
function keep(key: string, revision: number, answer: RenderedAnswer): void {
  const response = new EventEmitter();
  pages.keep(key, revision, answer, response);
  response.emit('close');
}

/** What is sent, while the client still reads. */
function taken(key: string, response = new EventEmitter()): RenderedAnswer | null {
  return pages.take(key, 1, response);
}

function keepMany(count: number): void {
  for (let each = 0; each < count; each += 1) keep(`other ${each}`, 1, page('.'));
}

describe('a kept page', () => {
  it('is what was kept, its coding and its tag included', () => {
    keep('a', 1, page('a'));
    keep('b', 1, page('b'));
    expect(taken('a')).toEqual(page('a'));
    expect(taken('b')).toEqual(page('b'));
  });

  it('is none at another revision', () => {
    keep('a', 2, page('a'));
    expect(taken('a')).toBeNull();
    expect(pages.has('a')).toBe(true);
  });

  it('is the last that was kept under its key', () => {
    keep('a', 1, page('a'));
    keep('a', 1, page('b'));
    expect(taken('a')).toEqual(page('b'));
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
      expect(taken('a')).toEqual(page('a'));
    }
  });

  it('keeps its bytes until the client has read them', () => {
    keep('a', 1, page('a'));
    const response = new EventEmitter();
    const sent = taken('a', response);
    keepMany(20);
    expect(sent).toEqual(page('a'));
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
