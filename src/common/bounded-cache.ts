import { LRUCache } from 'lru-cache';

/** What a key and the bookkeeping of an entry take beside its value, roughly. */
const ENTRY_BYTES = 500;

/** Keeps values up to a number of bytes together; what was asked for longest ago goes first. */
export class BoundedCache<Value extends object> {
  private readonly entries: LRUCache<string, Value> | null;

  /** @param mostBytes 0 keeps nothing */
  constructor(mostBytes: number, bytesOf: (value: Value) => number) {
    this.entries =
      mostBytes === 0
        ? null
        : new LRUCache({
            maxSize: mostBytes,
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
