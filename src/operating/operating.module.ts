import { Module } from '@nestjs/common';
import { LINES_LOST } from '../common/guarded-output.js';
import { addCounter, Metrics } from '../common/metrics.js';
import { RequestLog } from './request-log.js';
import { RequestObserver } from './request-observer.js';

/** What an operator sees of the service. */
@Module({ providers: [RequestLog, RequestObserver], exports: [RequestObserver] })
export class OperatingModule {
  constructor({ registry }: Metrics) {
    addCounter(registry, LINES_LOST);
  }
}
