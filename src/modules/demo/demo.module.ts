import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AffiliatesModule } from '../affiliates/index.js';
import { RecordsInModule } from '../records-in/index.js';
import { DemoAccountService } from './demo-account.service.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [AccountsModule, AffiliatesModule, RecordsInModule],
  providers: [DemoAccountService, DemoService],
  exports: [DemoService],
})
export class DemoModule {}
