import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../../platform/limits/memory/bounded-cache.js';
import { Settings } from '../../../config/settings.js';
import type { SeekHints } from './seek-hints.js';
import type { ListCounts, Range } from './list-counts.repository.js';

export interface CachedCounts extends ListCounts {
  readonly hints: SeekHints;
}

/** Share of the page cache's memory. It is small, because counts are much smaller than pages. */
const SHARE = 1 / 8;
const BYTES_OF_A_DAY = 100;
const BYTES_OF_A_POSITION = 100;

/**
 * Caches the counts of requested ranges, so that further pages of a range need not read them again.
 */
@Injectable()
export class ListCountsCache {
  private readonly cache: BoundedCache<CachedCounts>;

  constructor({ pageCacheBytes }: Settings) {
    this.cache = new BoundedCache(
      Math.floor(pageCacheBytes * SHARE),
      ({ sold, refunded, hints }) =>
        (sold.length + refunded.length) * BYTES_OF_A_DAY + hints.count * BYTES_OF_A_POSITION,
    );
  }

  /** Returns the counts of a range. They may be outdated, so the caller compares their revision. */
  get(range: Range): CachedCounts | undefined {
    return this.cache.get(keyOf(range));
  }

  /** Stores a copy, because the cache measures the size of a new value only. */
  set(range: Range, counts: CachedCounts): void {
    this.cache.set(keyOf(range), { ...counts });
  }
}

function keyOf({ vendor_id, start_date, end_date }: Range): string {
  return `${vendor_id} ${start_date} ${end_date}`;
}
