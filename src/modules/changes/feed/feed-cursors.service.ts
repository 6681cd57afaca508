import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../../common/time.js';
import { LEDGER_KINDS } from '../change.model.js';
import { ChangesRepository } from '../changes.repository.js';
import { ChangesFeedService } from './changes-feed.service.js';

/** Finds cursors that no page has returned. */
@Injectable()
export class FeedCursorsService {
  constructor(
    private readonly repository: ChangesRepository,
    private readonly feed: ChangesFeedService,
  ) {}

  /** Returns the cursor after all changes until now. */
  async now(vendor_id: number): Promise<number> {
    return (await this.repository.lastSequences([vendor_id])).get(vendor_id) ?? 0;
  }

  /**
   * Returns the cursor before all changes since the start of a day in UTC. Searches by bisection,
   * because changes are numbered in the order of their times.
   */
  async before(vendor_id: number, day: string): Promise<number> {
    const from = startOfDay(day);
    let least = 0;
    let most = await this.now(vendor_id);
    while (least < most) {
      const middle = Math.floor((least + most) / 2);
      const next = await this.firstAfter(vendor_id, middle);
      if (next === null || next.changed_at >= from) most = middle;
      else least = next.sequence;
    }
    return least;
  }

  private async firstAfter(vendor_id: number, after: number) {
    const criteria = { vendor_id, limit: 1, max_bytes: 0, kinds: LEDGER_KINDS, isMasked: false };
    let page = await this.feed.pageNow({ ...criteria, after });
    // A page may be empty although more changes follow.
    while (page.items.length === 0 && page.has_more) {
      page = await this.feed.pageNow({ ...criteria, after: page.cursor });
    }
    return page.items[0] ?? null;
  }
}
