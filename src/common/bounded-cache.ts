import { LRUCache } from 'lru-cache';

/** Approximate overhead of an entry beside its key and value. */
const ENTRY_BYTES = 500;

/** An LRU cache with a limit on the total number of bytes. */
export class BoundedCache<Value extends object> {
  private readonly entries: LRUCache<string, Value> | null;

  /** @param maxBytes 0 disables the cache */
  constructor(maxBytes: number, bytesOf: (value: Value) => number) {
    this.entries =
      maxBytes === 0
        ? null
        : new LRUCache({
            maxSize: maxBytes,
            sizeCalculation: (value, key) => bytesOf(value) + 2 * key.length + ENTRY_BYTES,
          });
  }

  get(key: string): Value | undefined {
    return this.entries?.get(key);
  }

  set(key: string, value: Value): void {
    this.entries?.set(key, value);
  }
}
