import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { BoundedCache } from '../../../platform/limits/memory/bounded-cache.js';
import type { ListCounts, Range } from './list-counts.repository.js';
import type { DayCount } from './page-plan.js';
import { SeekHints } from './seek-hints.js';

export interface CachedCounts extends ListCounts {
  /** The days of the refunds, newest first; null until a page needs them. */
  readonly refunded: readonly DayCount[] | null;
}

/** Share of the page cache's memory. It is small, because counts are much smaller than pages. */
const SHARE = 1 / 8;
/** Minimum memory in bytes. It holds the counts of thousands of ranges of a month. */
const LEAST_BYTES = 8 * 1024 * 1024;
/** Share of this memory that the ranges of one vendor may use. */
const SHARE_OF_VENDOR = 1 / 2;
const BYTES_OF_A_VENDOR = 2_000;
const BYTES_OF_A_DAY = 100;

/** Contains what requested pages of one vendor have revealed. */
interface KnownLists {
  readonly ranges: BoundedCache<CachedCounts>;
  readonly hints: SeekHints;
}

/**
 * Caches the counts of requested ranges, so that further pages of a range need not read them again,
 * and positions that lead to pages. It also does so without a page cache, because both are needed
 * again for pages that nobody has requested before.
 */
@Injectable()
export class ListCache {
  private readonly vendors: BoundedCache<KnownLists>;
  private readonly bytesOfRanges: number;

  constructor({ pageCacheBytes }: Settings) {
    const bytes = Math.max(LEAST_BYTES, Math.floor(pageCacheBytes * SHARE));
    this.bytesOfRanges = bytes * SHARE_OF_VENDOR;
    this.vendors = new BoundedCache(
      bytes,
      ({ ranges, hints }) => BYTES_OF_A_VENDOR + ranges.bytes + hints.bytes,
    );
  }

  /** Returns the counts of a range. They may be outdated, so the caller compares their revision. */
  countsOf(range: Range): CachedCounts | undefined {
    return this.vendors.get(String(range.vendor_id))?.ranges.get(keyOf(range));
  }

  /** Returns the positions that are known at a revision of a vendor's ledger. */
  hintsAt(vendor_id: number, revision: number): SeekHints | null {
    const hints = this.vendors.get(String(vendor_id))?.hints;
    return hints?.revision === revision ? hints : null;
  }

  /**
   * Stores the counts that led to a page.
   * @param note adds the positions that the page revealed
   */
  set(range: Range, counts: CachedCounts, note: (hints: SeekHints) => void): void {
    const vendor = String(range.vendor_id);
    const known = this.vendors.get(vendor);
    const ranges = known?.ranges ?? new BoundedCache(this.bytesOfRanges, bytesOf);
    const { revision } = counts;
    const hints = known?.hints.revision === revision ? known.hints : new SeekHints(revision);
    if (ranges.get(keyOf(range)) !== counts) ranges.set(keyOf(range), counts);
    note(hints);
    // The cache measures the size of a new value only.
    this.vendors.set(vendor, { ranges, hints });
  }
}

function bytesOf({ sold, refunded }: CachedCounts): number {
  return (sold.length + (refunded?.length ?? 0)) * BYTES_OF_A_DAY;
}

function keyOf({ start_date, end_date }: Range): string {
  return `${start_date} ${end_date}`;
}
