import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AffiliatesModule } from '../affiliates/affiliates.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { TombstonesModule } from '../people/tombstones/tombstones.module.js';
import { ProductsModule } from '../products/products.module.js';
import { RecurringModule } from '../recurring/recurring.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { RecordsController } from './http/ledger-1/records.controller.js';
import { ImportService } from './import.service.js';
import { IncomingRecordsService } from './incoming/incoming-records.service.js';
import { RecordSpool } from './incoming/record-spool.js';
import { UpstreamRecordsService } from './incoming/upstream-records.service.js';
import { WriteTurns } from './incoming/write-turns.js';
import { ArrivingPersonalData } from './personal-data/arriving-personal-data.js';
import { ProductRemovalService } from './removal/product-removal.service.js';
import { RecordBatches } from './record-batches.js';
import { RecordServices } from './records/record-services.js';

@Module({
  imports: [
    AccountsModule,
    AffiliatesModule,
    AuditModule,
    ProductsModule,
    RecurringModule,
    RetentionModule,
    TombstonesModule,
    TransactionsModule,
  ],
  controllers: [RecordsController],
  providers: [
    ArrivingPersonalData,
    ImportService,
    IncomingRecordsService,
    RecordBatches,
    RecordServices,
    ProductRemovalService,
    RecordSpool,
    UpstreamRecordsService,
    WriteTurns,
  ],
  exports: [ImportService, ProductRemovalService, UpstreamRecordsService],
})
export class ImportModule {}
