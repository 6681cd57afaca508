import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { BoundedCache } from '../../../platform/limits/memory/bounded-cache.js';
import type { ListCounts, Range } from './list-counts.repository.js';
import type { DayCount } from './page-plan.js';
import { SeekHints } from './seek-hints.js';
import { ShownNames } from './shown-names.js';

export interface CachedCounts extends ListCounts {
  /** The days of the refunds, newest first; null until a page needs them. */
  readonly refunded: readonly DayCount[] | null;
}

/** Contains what pages of a vendor have revealed at one revision of the ledger. */
export class RevealedLists {
  readonly hints = new SeekHints();
  readonly names: ShownNames;

  constructor(
    readonly vendor_id: number,
    readonly revision: number,
  ) {
    this.names = new ShownNames(revision);
  }

  /** Approximate memory in use, in bytes. */
  get bytes(): number {
    return this.hints.bytes + this.names.bytes;
  }
}

/** Share of the page cache's memory. It is small, because counts are much smaller than pages. */
const SHARE = 1 / 8;
/** Minimum memory in bytes. It holds the counts of thousands of ranges of a month. */
const LEAST_BYTES = 8 * 1024 * 1024;
/** Share of this memory that the ranges of one vendor may use. */
const SHARE_OF_VENDOR = 1 / 2;
const BYTES_OF_A_VENDOR = 2_000;
const BYTES_OF_A_DAY = 100;

/** Contains what is cached for one vendor. */
interface VendorLists {
  readonly ranges: BoundedCache<CachedCounts>;
  readonly revealed: RevealedLists;
  readonly bytes: number;
}

/**
 * Caches the counts of requested ranges, so that further pages of a range need not read them again,
 * and what pages revealed that other pages need. It also does so without a page cache, because both
 * are needed again for pages that nobody has requested before.
 */
@Injectable()
export class ListCache {
  private readonly vendors: BoundedCache<VendorLists>;
  private readonly bytesOfRanges: number;

  constructor({ pageCacheBytes }: Settings) {
    const bytes = Math.max(LEAST_BYTES, Math.floor(pageCacheBytes * SHARE));
    this.bytesOfRanges = bytes * SHARE_OF_VENDOR;
    this.vendors = new BoundedCache(bytes, (lists) => lists.bytes);
  }

  /** Returns the counts of a range. They may be outdated, so the caller compares their revision. */
  countsOf(range: Range): CachedCounts | undefined {
    return this.vendors.get(String(range.vendor_id))?.ranges.get(keyOf(range));
  }

  /** Returns what pages have revealed at a revision of a vendor's ledger. */
  revealedAt(vendor_id: number, revision: number): RevealedLists | null {
    const revealed = this.vendors.get(String(vendor_id))?.revealed;
    return revealed?.revision === revision ? revealed : null;
  }

  /**
   * Stores the counts that led to a page.
   * @param note adds what the page revealed
   */
  set(range: Range, counts: CachedCounts, note: (revealed: RevealedLists) => void): void {
    const vendor = String(range.vendor_id);
    const known = this.vendors.get(vendor);
    const ranges = known?.ranges ?? new BoundedCache(this.bytesOfRanges, bytesOf);
    const revealed =
      known?.revealed.revision === counts.revision
        ? known.revealed
        : new RevealedLists(range.vendor_id, counts.revision);
    const key = keyOf(range);
    if (ranges.get(key) !== counts) ranges.set(key, counts);
    note(revealed);
    const bytes = BYTES_OF_A_VENDOR + ranges.bytes + revealed.bytes;
    if (known?.revealed === revealed && known.bytes === bytes) return;
    this.vendors.set(vendor, { ranges, revealed, bytes });
  }
}

function bytesOf({ sold, refunded }: CachedCounts): number {
  return (sold.length + (refunded?.length ?? 0)) * BYTES_OF_A_DAY;
}

function keyOf({ start_date, end_date }: Range): string {
  return `${start_date} ${end_date}`;
}
