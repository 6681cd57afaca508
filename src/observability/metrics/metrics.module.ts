import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** Lets every module show what it counts. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
