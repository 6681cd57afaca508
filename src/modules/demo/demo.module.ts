import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { ImportModule } from '../import/import.module.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [AccountsModule, ImportModule],
  providers: [DemoService],
  exports: [DemoService],
})
export class DemoModule {}
