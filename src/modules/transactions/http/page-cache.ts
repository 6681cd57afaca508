import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../../common/bounded-cache.js';
import type { RenderedAnswer } from '../../../common/envelope/rendered-answer.js';
import { Settings } from '../../../config/settings.js';

/** Answers that were sent before, each under a key that holds the revision of which it tells. */
@Injectable()
export class PageCache extends BoundedCache<RenderedAnswer> {
  constructor({ pageCacheBytes }: Settings) {
    super(pageCacheBytes, ({ body }) => body.length);
  }
}
