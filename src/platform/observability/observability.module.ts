import { Global, Module } from '@nestjs/common';
import { LINES_LOST } from './guarded-output.js';
import { addCounter, Metrics } from './metrics.js';
import { RequestLog, RequestObserver } from './request-observer.js';

/**
 * Provides metrics and the request log. The module is global, so that every module can register
 * metrics.
 */
@Global()
@Module({
  providers: [Metrics, RequestLog, RequestObserver],
  exports: [Metrics, RequestObserver],
})
export class ObservabilityModule {
  constructor({ registry }: Metrics) {
    addCounter(registry, LINES_LOST);
  }
}
