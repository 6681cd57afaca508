import { Injectable } from '@nestjs/common';

/** Bounds the kept sums by tracking field (docs/adr/0032-tracking-sums-follow-the-ledger.md). */
@Injectable()
export class TrackingBounds {
  /**
   * Maximum number of values of a field that have kept sums of their own in a vendor's ledger. The
   * first values get them.
   */
  values = 2_000;
  /**
   * Number of changes of a ledger that wait until they are added to its kept sums together. Many
   * sales then share a row of the sums, which each batch would otherwise write separately. Reads
   * add the waiting changes.
   */
  waiting = 5_000;
}
