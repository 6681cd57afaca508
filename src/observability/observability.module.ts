import { Module } from '@nestjs/common';
import { LINES_LOST } from './log/guarded-output.js';
import { addCounter, Metrics } from './metrics/metrics.js';
import { RequestLog } from './log/request-log.js';
import { RequestObserver } from './request-observer.js';

/** What an operator sees of the service. */
@Module({ providers: [RequestLog, RequestObserver], exports: [RequestObserver] })
export class OperatingModule {
  constructor({ registry }: Metrics) {
    addCounter(registry, LINES_LOST);
  }
}
