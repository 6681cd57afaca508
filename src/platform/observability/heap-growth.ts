import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage early, so that the memory of the process stays bounded.
 * docs/measurements/api.md has what it brings. Call it before modules are loaded: V8 rejects
 * compiled code that was kept under other settings.
 */
export function limitHeapGrowth(): void {
  // By default V8 lets the heap grow fourfold before it collects garbage, so memory use would vary
  // widely.
  setFlagsFromString('--heap-growing-percent=25');
  // If most objects that a line of code created once lived long, V8 would allocate all its later
  // objects as old. Each would keep the young objects that it refers to until the next full
  // collection, so many more objects would be promoted.
  setFlagsFromString('--no-allocation-site-pretenuring');
}
