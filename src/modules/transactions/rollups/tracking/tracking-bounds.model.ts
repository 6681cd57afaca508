import { Injectable } from '@nestjs/common';

/** What bounds the sums by tracking field (docs/adr/0032-tracking-sums-follow-the-ledger.md). */
@Injectable()
export class TrackingBounds {
  /** So many values of a field have sums of their own in a vendor's ledger: the first ones. */
  values = 2_000;
  /**
   * So many changes of a ledger wait until they are added to its sums, in one go: then many sales share a
   * row of the sums, which each batch by itself would write anew. Reads add what waits.
   */
  waiting = 5_000;
}
