import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../../common/bounded-cache.js';
import { Settings } from '../../../config/settings.js';
import type { SeekHints } from './seek-hints.js';
import type { ListCounts, Range } from './transactions.repository.js';

/** Counts, and where items of the list were found since they were read. */
export interface KeptCounts extends ListCounts {
  readonly hints: SeekHints;
}

/** Counts are small beside the pages that they lead to. */
const SHARE = 1 / 8;
const BYTES_OF_A_DAY = 100;
const BYTES_OF_A_POSITION = 100;

/** The counts of the ranges that were asked for, so that each page of a walk need not read them. */
@Injectable()
export class ListCountsCache {
  private readonly cache: BoundedCache<KeptCounts>;

  constructor({ pageCacheBytes }: Settings) {
    this.cache = new BoundedCache(
      Math.floor(pageCacheBytes * SHARE),
      ({ sold, refunded, hints }) =>
        (sold.length + refunded.length) * BYTES_OF_A_DAY + hints.count * BYTES_OF_A_POSITION,
    );
  }

  /** The counts as they were once: their revision tells whether they still are. */
  get(range: Range): KeptCounts | undefined {
    return this.cache.get(keyOf(range));
  }

  /** Takes a copy, since what is kept already is not measured again. */
  keep(range: Range, counts: KeptCounts): void {
    this.cache.set(keyOf(range), { ...counts });
  }
}

function keyOf({ vendor_id, start_date, end_date }: Range): string {
  return `${vendor_id} ${start_date} ${end_date}`;
}
