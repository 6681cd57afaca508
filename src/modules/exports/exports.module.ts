import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { PersonalReadsModule } from '../personal-reads/personal-reads.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { ExportTurns } from './export-turns.js';
import { ExportsService } from './exports.service.js';
import { ExportsController } from './http/ledger-1/exports.controller.js';

@Module({
  imports: [ChangesModule, PersonalReadsModule, TransactionsModule],
  controllers: [ExportsController],
  providers: [ExportsService, ExportTurns],
  exports: [ExportsService],
})
export class ExportsModule {}
