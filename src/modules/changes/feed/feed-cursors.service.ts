import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../../common/time.js';
import { LEDGER_KINDS } from '../change.model.js';
import { ChangesRepository } from '../changes.repository.js';
import { ChangesFeedService } from './changes-feed.service.js';

/** Cursors other than those that pages give. */
@Injectable()
export class FeedCursorsService {
  constructor(
    private readonly repository: ChangesRepository,
    private readonly feed: ChangesFeedService,
  ) {}

  /** After everything that is there now. */
  async now(vendor_id: number): Promise<number> {
    return (await this.repository.lastSequences([vendor_id])).get(vendor_id) ?? 0;
  }

  /**
   * Before everything that changed on a day in UTC, or later. Found by halves: changes are numbered in the
   * order of their times.
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
    // A page may have nothing to show.
    while (page.items.length === 0 && page.has_more) {
      page = await this.feed.pageNow({ ...criteria, after: page.cursor });
    }
    return page.items[0] ?? null;
  }
}
