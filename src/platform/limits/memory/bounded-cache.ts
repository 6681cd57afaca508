import { LRUCache } from 'lru-cache';

/** Approximate overhead of an entry in bytes, in addition to its key and value. */
const ENTRY_BYTES = 500;

/** Caches values by key, and drops the least recently used above a total number of bytes. */
export class BoundedCache<Value extends object> {
  private readonly entries: LRUCache<string, Value> | null;

  /**
   * Creates an empty cache.
   * @param maxBytes 0 disables the cache
   */
  constructor(maxBytes: number, bytesOf: (value: Value) => number) {
    this.entries =
      maxBytes === 0
        ? null
        : new LRUCache({
            maxSize: maxBytes,
            sizeCalculation: (value, key) => bytesOf(value) + 2 * key.length + ENTRY_BYTES,
          });
  }

  /** Approximate memory in use, in bytes. */
  get bytes(): number {
    return this.entries?.calculatedSize ?? 0;
  }

  get(key: string): Value | undefined {
    return this.entries?.get(key);
  }

  set(key: string, value: Value): void {
    this.entries?.set(key, value);
  }
}
