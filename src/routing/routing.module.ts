import { Module } from '@nestjs/common';
import { UnmatchedController } from './unmatched.controller.js';
import { VersionController } from './version.controller.js';

/** What the router answers of itself: its versions, unknown paths, wrong methods. */
@Module({
  controllers: [VersionController, UnmatchedController],
})
export class RoutingModule {}
