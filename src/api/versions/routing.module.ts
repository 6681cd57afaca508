import { Module } from '@nestjs/common';
import { UnmatchedController } from './unmatched.controller.js';
import { LedgerVersionController, VersionController } from './version.controller.js';

@Module({ controllers: [VersionController, LedgerVersionController, UnmatchedController] })
export class RoutingModule {}
