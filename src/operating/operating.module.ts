import { Module } from '@nestjs/common';
import { RequestLog } from './request-log.js';
import { RequestObserver } from './request-observer.js';

/** What an operator sees of the service. */
@Module({ providers: [RequestLog, RequestObserver], exports: [RequestObserver] })
export class OperatingModule {}
