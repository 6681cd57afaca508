import { Module } from '@nestjs/common';
import { Metrics } from '../observability/metrics/metrics.js';
import { PageCache } from './page-cache.js';

/**
 * Provides the page cache to modules that tag or cache their answers. Each of them also provides a
 * RevisionSource.
 */
@Module({ providers: [PageCache], exports: [PageCache] })
export class HttpCacheModule {
  constructor(metrics: Metrics, pages: PageCache) {
    const { counts } = pages;
    metrics.counter(
      'page_cache_pages_total',
      'Pages sent from and put into the page cache.',
      'event',
      () => counts,
    );
    metrics.gauge('page_cache_bytes', 'Memory of the page cache.', 'state', () => ({
      taken: pages.bytes,
    }));
  }
}
