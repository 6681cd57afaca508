import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../../common/bounded-cache.js';
import type { RenderedAnswer } from '../../../common/envelope/rendered-answer.js';
import { Settings } from '../../../config/settings.js';

/** An answer that was sent before, and of which revision of the ledger it tells. */
interface KeptPage {
  readonly revision: number;
  readonly answer: RenderedAnswer;
}

/** The pages of this process, each to be used at its own revision only. */
@Injectable()
export class PageCache extends BoundedCache<KeptPage> {
  constructor({ pageCacheBytes }: Settings) {
    super(pageCacheBytes, ({ answer }) => answer.body.length);
  }
}
