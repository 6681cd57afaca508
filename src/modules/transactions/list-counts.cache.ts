import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../common/bounded-cache.js';
import { Settings } from '../../config/settings.js';
import type { ListCounts, Range } from './transactions.repository.js';

/** Counts are small beside the pages that they lead to. */
const SHARE = 1 / 8;
const BYTES_OF_A_DAY = 100;

/** The counts of the ranges that were asked for, so that each page of a walk need not read them. */
@Injectable()
export class ListCountsCache {
  private readonly cache: BoundedCache<ListCounts>;

  constructor({ pageCacheBytes }: Settings) {
    this.cache = new BoundedCache(
      Math.floor(pageCacheBytes * SHARE),
      ({ sold, refunded }) => (sold.length + refunded.length) * BYTES_OF_A_DAY,
    );
  }

  /** The counts as they were once: their revision tells whether they still are. */
  get(range: Range): ListCounts | undefined {
    return this.cache.get(keyOf(range));
  }

  keep(range: Range, counts: ListCounts): void {
    this.cache.set(keyOf(range), counts);
  }
}

function keyOf({ vendor_id, start_date, end_date }: Range): string {
  return `${vendor_id} ${start_date} ${end_date}`;
}
