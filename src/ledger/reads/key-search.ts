import type { QueryMeta } from '../../api/envelope/envelope.js';
import { queryCursorOf, type QueryIdentity } from './query-cursor.js';

/** Limits of the parameter `limit` of queries. */
export const QUERY_LIMIT = { min: 1, max: 200, default: 50 } as const;

/** Maximum number of keys that are read for a page, and to count those of a query. */
const MAX_READ = 10_000;
/** Number of keys that are read at a time if a filter can leave some out. */
const CHUNK = 1_000;

/** Reads keys in the order of an index, and selects those that meet a filter. */
export interface KeySearch<Key> {
  /** Returns the next keys after one; null is before the first. */
  readonly next: (after: Key | null, take: number) => Promise<readonly Key[]>;
  /** Null if all keys are selected. */
  readonly matches: ((key: Key) => boolean) | null;
  /** False to leave the keys of the other pages uncounted. */
  readonly isCounted?: boolean;
  /** Maximum number of keys that are read for a page, if each costs more than a part of an index. */
  readonly most?: number;
}

export interface KeyPage<Key> {
  readonly keys: readonly Key[];
  /** Last key before the next page; null on the last page. */
  readonly next: Key | null;
  /** True if the page ended early, because it reached the limit of keys that are read. */
  readonly isStopped: boolean;
  /** Number of keys that were read for the page, at most. */
  readonly read: number;
  /** Number of keys on all pages; null if they are not counted, or too many would have to be read. */
  readonly total_count: number | null;
}

/**
 * Returns what reads keys that are in memory.
 * @param isBehind returns whether a key follows another one in the order
 */
export function nextOf<Key>(
  inOrder: readonly Key[],
  isBehind: (key: Key, other: Key) => boolean,
): KeySearch<Key>['next'] {
  return (after, take) => {
    const behind = after === null ? inOrder : inOrder.filter((key) => isBehind(key, after));
    return Promise.resolve(behind.slice(0, take));
  };
}

/** Returns a page of a search. A page that reads many keys without a match ends early. */
export async function searchPage<Key>(
  search: KeySearch<Key>,
  after: Key | null,
  size: number,
): Promise<KeyPage<Key>> {
  const chunk = search.matches === null ? size + 1 : CHUNK;
  const { most = MAX_READ } = search;
  const keys: Key[] = [];
  let last = after;
  let read = 0;
  for (; read < most && keys.length <= size; read += chunk) {
    const some = await search.next(last, chunk);
    keys.push(...selected(search, some));
    last = some.at(-1) ?? last;
    if (some.length < chunk) return pageOf(search, keys, after, { size, end: null, read });
  }
  return pageOf(search, keys, after, { size, end: last, read });
}

/** @param end last key that was read; null if none is left behind it */
async function pageOf<Key>(
  search: KeySearch<Key>,
  found: readonly Key[],
  after: Key | null,
  { size, end, read }: { readonly size: number; readonly end: Key | null; readonly read: number },
): Promise<KeyPage<Key>> {
  const keys = found.slice(0, size);
  const hasMore = found.length > size;
  const next = hasMore ? (keys.at(-1) ?? null) : end;
  const isOnly = after === null && next === null;
  const total_count = isOnly ? keys.length : await countOf(search);
  return { keys, next, isStopped: !hasMore && end !== null, read, total_count };
}

async function countOf<Key>(search: KeySearch<Key>): Promise<number | null> {
  if (search.isCounted === false) return null;
  const read = await search.next(null, MAX_READ + 1);
  return read.length > MAX_READ ? null : selected(search, read).length;
}

function selected<Key>({ matches }: KeySearch<Key>, keys: readonly Key[]): readonly Key[] {
  return matches === null ? keys : keys.filter(matches);
}

/** Returns the metadata of a page of a search. @param placeOf returns the place of a key */
export function searchMeta<Key>(
  query: QueryIdentity,
  { next, isStopped, total_count }: Omit<KeyPage<Key>, 'read'>,
  placeOf: (key: Key) => readonly (string | number)[],
  feedCursor: number,
): QueryMeta {
  return {
    total_count,
    searched_to: isStopped && next !== null ? placeOf(next).join('/') : null,
    next_cursor: next === null ? null : queryCursorOf(query, placeOf(next)),
    cursor: String(feedCursor),
  };
}
