import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MEBIBYTE = 1_048_576;

/**
 * Keeps the heap of a long command small. V8 by itself lets the heap grow to several times of what
 * is in use before it collects all garbage, which takes hundreds of megabytes of an import.
 */
export class HeapLimit {
  private readonly collect = collector();
  private limit: number;

  /** @param garbageMiB garbage that may pile up before all garbage is collected */
  constructor(private readonly garbageMiB: number) {
    this.limit = this.next();
  }

  /** Collects all garbage if there is too much of it. This takes some ten milliseconds. */
  check(): void {
    if (usedMiB() < this.limit) return;
    this.collect();
    this.limit = this.next();
  }

  private next(): number {
    return usedMiB() + this.garbageMiB;
  }
}

function usedMiB(): number {
  return getHeapStatistics().used_heap_size / MEBIBYTE;
}

/** Returns the function that Node offers with the flag `--expose-gc`. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('the garbage collector cannot be called');
  return () => {
    Reflect.apply(collect, undefined, []);
  };
}
