import { Module } from '@nestjs/common';
import { AnswerMemoryModule } from '../../platform/limits/memory/answer-memory.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { TransactionsModule } from '../transactions/index.js';
import { ExportTurns } from './export-turns.js';
import { ExportsService } from './exports.service.js';
import { ExportsController } from './exports.controller.js';

@Module({
  imports: [AnswerMemoryModule, ChangesModule, TransactionsModule],
  controllers: [ExportsController],
  providers: [ExportsService, ExportTurns],
  exports: [ExportsService],
})
export class ExportsModule {}
