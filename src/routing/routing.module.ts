import { Module } from '@nestjs/common';
import { UnmatchedController } from './unmatched.controller.js';
import { VersionController } from './version.controller.js';

@Module({ controllers: [VersionController, UnmatchedController] })
export class RoutingModule {}
