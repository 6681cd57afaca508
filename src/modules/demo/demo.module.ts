import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { RecordsInModule } from '../records-in/index.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [AccountsModule, RecordsInModule],
  providers: [DemoService],
  exports: [DemoService],
})
export class DemoModule {}
