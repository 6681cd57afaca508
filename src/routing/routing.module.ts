import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { SuccessorVersionInterceptor } from './successor-version.js';
import { UnmatchedController } from './unmatched.controller.js';
import { VersionController } from './version.controller.js';

/** What the router answers of itself: its versions, unknown paths, wrong methods. */
@Module({
  controllers: [VersionController, UnmatchedController],
  providers: [{ provide: APP_INTERCEPTOR, useClass: SuccessorVersionInterceptor }],
})
export class RoutingModule {}
